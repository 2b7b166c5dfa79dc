package dev.midcourse.agents.mail;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.agents.process.os.NoFollowDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A folder of a mailbox while it is open. Whatever becomes of the path to it, what is done here is
 * done in that folder; no link in it is followed.
 */
public final class DirectoryHandle implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 12;

  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, NOFOLLOW_LINKS);
  private static final Set<OpenOption> THERE = Set.of(StandardOpenOption.WRITE, NOFOLLOW_LINKS);

  private static final int MAX_LOOKED_AT = 20_000;

  private final SecureDirectoryStream<Path> folder;

  /** The same folder where the C library can be called: files are opened without delay. */
  private final Optional<NoFollowDirectory> held;

  DirectoryHandle(SecureDirectoryStream<Path> folder, Optional<NoFollowDirectory> held) {
    this.folder = folder;
    this.held = held;
  }

  @Override
  public void close() throws IOException {
    try (folder) {
      held.ifPresent(NoFollowDirectory::close);
    }
  }

  /** Names of letters, and whether there are more than these. */
  public record Names(List<String> first, boolean more) {}

  /**
   * The names of whole letters that are wanted, the first so many in their order. Where very many
   * lie there, the first of some of them. Can be asked once while the folder is open.
   */
  public Names names(Predicate<String> wanted, Comparator<String> order, int most) {
    Queue<String> first = new PriorityQueue<>(order.reversed());
    int seen = 0;
    for (Path file : folder) {
      String name = file.getFileName().toString();
      if (MailboxDirectory.isWhole(name) && wanted.test(name)) {
        first.add(name);
        seen++;
        if (first.size() > most) {
          first.remove();
        }
        if (seen == MAX_LOOKED_AT) {
          break;
        }
      }
    }
    return new Names(first.stream().sorted(order).toList(), seen > first.size());
  }

  /** How many whole letters there are, counted up to so many. Can be asked once like the names. */
  int count(int most) {
    int count = 0;
    for (Path file : folder) {
      if (MailboxDirectory.isWhole(file.getFileName().toString()) && ++count == most) {
        break;
      }
    }
    return count;
  }

  /** The names of everything that lies in it. Can be asked once while the folder is open. */
  List<String> all() {
    List<String> names = new ArrayList<>();
    for (Path file : folder) {
      names.add(file.getFileName().toString());
    }
    return names;
  }

  /** Some of the names that are wanted, letters or not: however many lie there, so many at most. */
  public List<String> some(Predicate<String> wanted, int most) {
    List<String> names = new ArrayList<>();
    for (Path file : folder) {
      String name = file.getFileName().toString();
      if (wanted.test(name) && names.size() < most) {
        names.add(name);
      }
    }
    return names;
  }

  void removeFolder(String name) throws IOException {
    Path within = Path.of(name);
    try (SecureDirectoryStream<Path> its = folder.newDirectoryStream(within, NOFOLLOW_LINKS)) {
      DirectoryHandle open = new DirectoryHandle(its, Optional.empty());
      for (String file : open.all()) {
        open.delete(file);
      }
    }
    folder.deleteDirectory(within);
  }

  /** The text of a plain file; nothing when it is gone. */
  public Optional<MailboxDirectory.MailFile> read(String name, int mostBytes) throws IOException {
    try {
      BasicFileAttributes is = attributes(Path.of(name));
      if (!is.isRegularFile()) {
        throw new MailboxDirectory.Unfit("it is not a plain file");
      }
      if (is.size() > mostBytes) {
        throw new MailboxDirectory.Unfit("it is larger than " + mostBytes + " bytes");
      }
      byte[] bytes = bytes(name, mostBytes < is.size() + 1 ? mostBytes : (int) is.size() + 1);
      return Optional.of(
          new MailboxDirectory.MailFile(
              new String(bytes, StandardCharsets.UTF_8),
              is.lastModifiedTime().toInstant(),
              identity(is),
              is.size()));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (FileSystemException unreadable) {
      throw new MailboxDirectory.Unfit("it cannot be read: " + unreadable.getMessage());
    }
  }

  private static String identity(BasicFileAttributes is) {
    return is.fileKey() + " " + is.creationTime();
  }

  private byte[] bytes(String name, int most) throws IOException {
    if (held.isPresent()) {
      return held.get().read(name, most);
    }
    try (SeekableByteChannel in =
        folder.newByteChannel(Path.of(name), Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS))) {
      ByteBuffer bytes = ByteBuffer.allocate(most);
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {
        // Until there is no more.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  /** Whether it is a plain file with nothing in it. */
  boolean isEmpty(String name) throws IOException {
    BasicFileAttributes is = attributes(Path.of(name));
    return is.isRegularFile() && is.size() == 0;
  }

  /** When a file was changed last; long ago if it is gone. */
  Instant changed(String name) throws IOException {
    try {
      return attributes(Path.of(name)).lastModifiedTime().toInstant();
    } catch (NoSuchFileException gone) {
      return Instant.MIN;
    }
  }

  /** Writes a file under a name that nobody can foresee, then gives it its own. */
  public void write(String name, String text) throws IOException {
    move(make(text), this, name);
  }

  /** Makes a file with a name that nobody can foresee, and gives that. */
  String make(String text) throws IOException {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    String hidden = "." + HexFormat.of().formatHex(random) + ".tmp";
    write(hidden, text, NEW);
    return hidden;
  }

  /** Writes into a file that is there, in place of what it held; one that is gone is not made. */
  void overwrite(String name, String text) throws IOException {
    write(name, text, THERE);
  }

  /** Writes a file, or deletes what there is of it. */
  private void write(String file, String text, Set<OpenOption> how) throws IOException {
    try {
      writeThough(file, text, how);
    } catch (IOException failure) {
      try {
        delete(file);
      } catch (IOException also) {
        failure.addSuppressed(also);
      }
      throw failure;
    }
  }

  /** A thread that is told to go writes it all the same, and is told still. */
  private void writeThough(String file, String text, Set<OpenOption> how) throws IOException {
    boolean told = Thread.interrupted();
    try {
      writeOnce(file, text, how);
    } catch (ClosedByInterruptException toldJustNow) {
      told = Thread.interrupted();
      writeOnce(file, text, THERE); // by now
    } finally {
      if (told) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void writeOnce(String file, String text, Set<OpenOption> how) throws IOException {
    try (SeekableByteChannel out = folder.newByteChannel(Path.of(file), how)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.truncate(out.position());
    }
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
  public boolean delete(String name) throws IOException {
    try {
      folder.deleteFile(Path.of(name));
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** Deletes what was found; false when another file has taken its place. */
  public boolean delete(String name, MailboxDirectory.MailFile found) throws IOException {
    try {
      boolean same = identity(attributes(Path.of(name))).equals(found.identity());
      if (same) {
        boolean _ = delete(name);
      }
      return same;
    } catch (NoSuchFileException gone) {
      return true;
    }
  }

  /** Deletes a file if there is one; a folder in its place stays. */
  void forget(String name) {
    try {
      boolean _ = delete(name);
    } catch (IOException folder) {
      // Somebody else's business.
    }
  }

  /** Moves a file into a folder; false when it is gone. */
  public boolean move(String name, DirectoryHandle to, String as) throws IOException {
    try {
      folder.move(Path.of(name), to.folder, Path.of(as));
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }
}
