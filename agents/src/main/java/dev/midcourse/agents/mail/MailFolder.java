package dev.midcourse.agents.mail;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * One folder of a mailbox. Every step from the root down is taken without following a link; what is
 * written appears whole, under a name nobody can foresee until it is; what is read is a plain file
 * of bounded size.
 *
 * @param root a folder that is ours alone
 * @param steps the names below it, each checked to be a name and no path
 */
public record MailFolder(Path root, List<String> steps) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 12;
  private static final String WHOLE = ".json";
  private static final String REASON = ".reason.txt";
  private static final int LONGEST_NAME = 255;

  public MailFolder {
    steps = List.copyOf(steps);
    for (String step : steps) {
      if (!step.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}") || step.contains("..")) {
        throw new IllegalArgumentException("not a name: " + step);
      }
    }
  }

  /** What was found in a file. */
  public record Found(String text, Instant changed, long size) {}

  /** What cannot be read as a letter, and why. */
  public static final class Unfit extends IOException {
    private static final long serialVersionUID = 1;

    Unfit(String why) {
      super(why);
    }
  }

  public MailFolder in(String step) {
    List<String> further = new ArrayList<>(steps);
    further.add(step);
    return new MailFolder(root, further);
  }

  public Path path() {
    Path path = root;
    for (String step : steps) {
      path = path.resolve(step);
    }
    return path;
  }

  /** Makes the folder and those above it; one that is a link is refused. */
  public MailFolder made() throws IOException {
    Path path = Files.createDirectories(root);
    for (String step : steps) {
      path = path.resolve(step);
      try {
        Files.createDirectory(path);
      } catch (FileAlreadyExistsException there) {
        if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
          throw new Unfit(path + " is not a folder");
        }
      }
    }
    return this;
  }

  /** Something done inside the folder. */
  private interface Inside<T> {
    T with(SecureDirectoryStream<Path> folder) throws IOException;
  }

  private <T> T inside(Inside<T> work) throws IOException {
    try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
      if (!(top instanceof SecureDirectoryStream<Path> secure)) {
        throw new IOException("this system cannot open folders without following links");
      }
      return down(secure, 0, work);
    }
  }

  private <T> T down(SecureDirectoryStream<Path> at, int step, Inside<T> work) throws IOException {
    if (step == steps.size()) {
      return work.with(at);
    }
    try (SecureDirectoryStream<Path> next =
        at.newDirectoryStream(Path.of(steps.get(step)), NOFOLLOW_LINKS)) {
      return down(next, step + 1, work);
    }
  }

  /**
   * Writes a file so that whoever looks sees all of it or none; replaces one of that name. A thread
   * that is told to go writes it all the same, and is told still.
   */
  public void write(String name, String text) throws IOException {
    boolean told = Thread.interrupted();
    try {
      writeOnce(name, text);
    } catch (ClosedByInterruptException toldJustNow) {
      told = Thread.interrupted();
      writeOnce(name, text);
    } finally {
      if (told) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void writeOnce(String name, String text) throws IOException {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    Path hidden = Path.of("." + HexFormat.of().formatHex(random) + ".tmp");
    inside(folder -> {
      try (SeekableByteChannel file =
          folder.newByteChannel(
              hidden,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, NOFOLLOW_LINKS))) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      } catch (IOException failure) {
        forget(folder, hidden);
        throw failure;
      }
      folder.move(hidden, folder, Path.of(name));
      return name;
    });
  }

  private static void forget(SecureDirectoryStream<Path> folder, Path hidden) {
    try {
      folder.deleteFile(hidden);
    } catch (IOException notThere) {
      // It was not made.
    }
  }

  /** The names of whole letters, in their order, at most so many. */
  public List<String> names(int most) throws IOException {
    return inside(folder -> {
      List<String> names = new ArrayList<>();
      for (Path file : folder) {
        String name = file.getFileName().toString();
        if (name.endsWith(WHOLE) && !name.startsWith(".")) {
          names.add(name);
        }
      }
      names.sort(Comparator.naturalOrder());
      return names.size() <= most ? names : List.copyOf(names.subList(0, most));
    });
  }

  /** The text of a plain file; nothing when it is gone. */
  public Optional<Found> read(String name, int mostBytes) throws IOException {
    return opened(folder -> folder.read(name, mostBytes));
  }

  /** A folder that is open, for whoever has many letters to read. */
  @FunctionalInterface
  public interface Opened {
    /** The text of a plain file; nothing when it is gone. */
    Optional<Found> read(String name, int mostBytes) throws IOException;
  }

  /** What is done with an open folder. */
  @FunctionalInterface
  public interface Work<T> {
    T with(Opened folder) throws IOException;
  }

  /** Opens the folder once for all that is read in it: that takes longer than most letters. */
  public <T> T opened(Work<T> work) throws IOException {
    return inside(folder -> work.with((name, most) -> read(folder, Path.of(name), most)));
  }

  private static Optional<Found> read(SecureDirectoryStream<Path> folder, Path file, int mostBytes)
      throws IOException {
    try {
      BasicFileAttributes is =
          folder
              .getFileAttributeView(file, BasicFileAttributeView.class, NOFOLLOW_LINKS)
              .readAttributes();
      if (!is.isRegularFile()) {
        throw new Unfit("it is not a plain file");
      }
      if (is.size() > mostBytes) {
        throw new Unfit("it is larger than " + mostBytes + " bytes");
      }
      try (SeekableByteChannel in =
          folder.newByteChannel(file, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS))) {
        ByteBuffer bytes =
            ByteBuffer.allocate(mostBytes < is.size() + 1 ? mostBytes : (int) is.size() + 1);
        while (bytes.hasRemaining() && in.read(bytes) >= 0) {
          // Until there is no more.
        }
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        return Optional.of(new Found(text, is.lastModifiedTime().toInstant(), is.size()));
      }
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }

  public boolean has(String name) throws IOException {
    return inside(folder -> {
      try {
        folder
            .getFileAttributeView(Path.of(name), BasicFileAttributeView.class, NOFOLLOW_LINKS)
            .readAttributes();
        return true;
      } catch (NoSuchFileException none) {
        return false;
      }
    });
  }

  /** Whether it was there, and is gone now. */
  public boolean delete(String name) throws IOException {
    try {
      inside(folder -> {
        folder.deleteFile(Path.of(name));
        return name;
      });
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** Renames a file inside the folder; false when it is gone. */
  public boolean rename(String name, String to) throws IOException {
    try {
      inside(folder -> {
        folder.move(Path.of(name), folder, Path.of(to));
        return to;
      });
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** Puts a file aside into another folder, and beside it the reason. */
  public void putAside(String name, MailFolder errors, String why) throws IOException {
    errors.made();
    String as = asideName(steps.getLast() + "-" + name);
    try {
      inside(from ->
          errors.inside(to -> {
            from.move(Path.of(name), to, Path.of(as));
            return as;
          }));
    } catch (NoSuchFileException gone) {
      return;
    }
    errors.write(as + REASON, why + "\n");
  }

  /** The same for the same file, and never longer than a name may be. */
  private static String asideName(String wished) {
    byte[] bytes = (wished + REASON).getBytes(StandardCharsets.UTF_8);
    return bytes.length <= LONGEST_NAME ? wished : UUID.nameUUIDFromBytes(bytes) + WHOLE;
  }
}
