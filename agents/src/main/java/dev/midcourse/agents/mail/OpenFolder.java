package dev.midcourse.agents.mail;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A folder of a mailbox while it is open. Whatever becomes of the path to it, what is done here is
 * done in that folder; no link in it is followed.
 */
public final class OpenFolder {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 12;

  private final SecureDirectoryStream<Path> folder;

  OpenFolder(SecureDirectoryStream<Path> folder) {
    this.folder = folder;
  }

  /**
   * The names of whole letters that are wanted, in their order, at most so many. Can be asked once
   * while the folder is open.
   */
  public List<String> names(Predicate<String> wanted, int most) {
    List<String> names = new ArrayList<>();
    for (Path file : folder) {
      String name = file.getFileName().toString();
      if (MailFolder.isWhole(name) && wanted.test(name)) {
        names.add(name);
      }
    }
    names.sort(Comparator.naturalOrder());
    return names.size() <= most ? names : List.copyOf(names.subList(0, most));
  }

  /** The names of everything that lies in it. Can be asked once while the folder is open. */
  List<String> all() {
    List<String> names = new ArrayList<>();
    for (Path file : folder) {
      names.add(file.getFileName().toString());
    }
    return names;
  }

  void removeFolder(String name) throws IOException {
    Path within = Path.of(name);
    try (SecureDirectoryStream<Path> its = folder.newDirectoryStream(within, NOFOLLOW_LINKS)) {
      OpenFolder open = new OpenFolder(its);
      for (String file : open.all()) {
        open.delete(file);
      }
    }
    folder.deleteDirectory(within);
  }

  /** The text of a plain file; nothing when it is gone. */
  public Optional<MailFolder.Found> read(String name, int mostBytes) throws IOException {
    Path file = Path.of(name);
    try {
      BasicFileAttributes is = attributes(file);
      if (!is.isRegularFile()) {
        throw new MailFolder.Unfit("it is not a plain file");
      }
      if (is.size() > mostBytes) {
        throw new MailFolder.Unfit("it is larger than " + mostBytes + " bytes");
      }
      try (SeekableByteChannel in =
          folder.newByteChannel(file, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS))) {
        ByteBuffer bytes =
            ByteBuffer.allocate(mostBytes < is.size() + 1 ? mostBytes : (int) is.size() + 1);
        while (bytes.hasRemaining() && in.read(bytes) >= 0) {
          // Until there is no more.
        }
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        return Optional.of(
            new MailFolder.Found(text, is.lastModifiedTime().toInstant(), is.size()));
      }
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }

  /** Writes a file under a name that nobody can foresee, then gives it its own. */
  void write(String name, String text) throws IOException {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    String hidden = "." + HexFormat.of().formatHex(random) + ".tmp";
    try (SeekableByteChannel file =
        folder.newByteChannel(
            Path.of(hidden),
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, NOFOLLOW_LINKS))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException failure) {
      try {
        delete(hidden);
      } catch (IOException also) {
        failure.addSuppressed(also);
      }
      throw failure;
    }
    move(hidden, this, name);
  }

  boolean has(String name) throws IOException {
    try {
      attributes(Path.of(name));
      return true;
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  private BasicFileAttributes attributes(Path file) throws IOException {
    return folder
        .getFileAttributeView(file, BasicFileAttributeView.class, NOFOLLOW_LINKS)
        .readAttributes();
  }

  /** Whether it was there, and is gone now. */
  boolean delete(String name) throws IOException {
    try {
      folder.deleteFile(Path.of(name));
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** Moves a file into a folder; false when it is gone. */
  boolean move(String name, OpenFolder to, String as) throws IOException {
    try {
      folder.move(Path.of(name), to.folder, Path.of(as));
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }
}
