package dev.midcourse.agents.mail;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.agents.process.os.NoFollowDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
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
 * An open folder of a mailbox. All operations apply to this folder, even if its path is renamed or
 * replaced. No operation follows a link in the folder.
 */
public final class DirectoryHandle implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 12;

  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, NOFOLLOW_LINKS);
  private static final FileAttribute<?> MODE_600 =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<OpenOption> WRITE_EXISTING =
      Set.of(StandardOpenOption.WRITE, NOFOLLOW_LINKS);

  private static final int MAX_LOOKED_AT = 20_000;

  private final SecureDirectoryStream<Path> folder;

  /** The same folder, opened through the C library if that is available; it opens files faster. */
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

  /**
   * Names of messages.
   *
   * @param more whether there are more than the first
   * @param misnamed messages whose names are not UTF-8, so that no text names them
   */
  public record Names(List<String> first, boolean more, List<Path> misnamed) {}

  /**
   * Returns the names of complete messages that are wanted, at most {@code max}, the first in this
   * order. At most 20,000 wanted names are compared. Can be called once for an open folder.
   */
  public Names names(Predicate<String> wanted, Comparator<String> order, int max) {
    Queue<String> first = new PriorityQueue<>(order.reversed());
    List<Path> misnamed = new ArrayList<>();
    int seen = 0;
    for (Path file : folder) {
      String name = file.getFileName().toString();
      if (MailboxDirectory.isWhole(name) && isMisnamed(file.getFileName())) {
        if (misnamed.size() < max) {
          misnamed.add(file.getFileName());
        }
      } else if (MailboxDirectory.isWhole(name) && wanted.test(name)) {
        first.add(name);
        seen++;
        if (first.size() > max) {
          first.remove();
        }
        if (seen == MAX_LOOKED_AT) {
          break;
        }
      }
    }
    return new Names(
        first.stream().sorted(order).toList(), seen > first.size(), List.copyOf(misnamed));
  }

  /** Returns whether the bytes of a name are not those of the text that the JDK reads from them. */
  private static boolean isMisnamed(Path name) {
    try {
      return !Path.of(name.toString()).equals(name);
    } catch (InvalidPathException notNamed) {
      return true;
    }
  }

  /** Counts the complete messages, up to {@code max}. Can be called once for an open folder. */
  int count(int max) {
    int count = 0;
    for (Path file : folder) {
      if (MailboxDirectory.isWhole(file.getFileName().toString()) && ++count == max) {
        break;
      }
    }
    return count;
  }

  /** Returns the names of all files. Can be called once for an open folder. */
  List<String> all() {
    List<String> names = new ArrayList<>();
    for (Path file : folder) {
      names.add(file.getFileName().toString());
    }
    return names;
  }

  /** Returns at most {@code max} of the wanted names, of messages and other files. */
  public List<String> some(Predicate<String> wanted, int max) {
    List<String> names = new ArrayList<>();
    for (Path file : folder) {
      String name = file.getFileName().toString();
      if (wanted.test(name) && names.size() < max) {
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

  /** Reads a regular file; empty if the file is gone. */
  public Optional<MailboxDirectory.MailFile> read(String name, int maxBytes) throws IOException {
    try {
      BasicFileAttributes is = regular(name, maxBytes);
      byte[] bytes = bytes(name, maxBytes < is.size() + 1 ? maxBytes : (int) is.size() + 1);
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

  /**
   * Reads the bytes of a regular file. A file that another program changes at this moment is
   * refused.
   */
  byte[] content(String name, int maxBytes) throws IOException {
    BasicFileAttributes before = regular(name, maxBytes);
    byte[] bytes = bytes(name, Math.toIntExact(before.size()) + 1);
    BasicFileAttributes after = regular(name, maxBytes);
    boolean same =
        identity(before).equals(identity(after))
            && before.lastModifiedTime().equals(after.lastModifiedTime())
            && bytes.length == before.size();
    if (!same) {
      throw new MailboxDirectory.Unfit("it changed while it was read");
    }
    return bytes;
  }

  private BasicFileAttributes regular(String name, int maxBytes) throws IOException {
    BasicFileAttributes is = attributes(Path.of(name));
    if (!is.isRegularFile()) {
      throw new MailboxDirectory.Unfit("it is not a plain file");
    }
    if (is.size() > maxBytes) {
      throw new MailboxDirectory.Unfit("it is larger than " + maxBytes + " bytes");
    }
    return is;
  }

  private static String identity(BasicFileAttributes is) {
    return is.fileKey() + " " + is.creationTime();
  }

  private byte[] bytes(String name, int max) throws IOException {
    if (held.isPresent()) {
      return held.get().read(name, max);
    }
    try (SeekableByteChannel in =
        folder.newByteChannel(Path.of(name), Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS))) {
      ByteBuffer bytes = ByteBuffer.allocate(max);
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {
        // Reads until the end of the file.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  /** Whether the file is an empty regular file. */
  boolean isEmpty(String name) throws IOException {
    BasicFileAttributes is = attributes(Path.of(name));
    return is.isRegularFile() && is.size() == 0;
  }

  /** Returns the time of the last change of a file; {@link Instant#MIN} if the file is gone. */
  Instant changed(String name) throws IOException {
    try {
      return attributes(Path.of(name)).lastModifiedTime().toInstant();
    } catch (NoSuchFileException gone) {
      return Instant.MIN;
    }
  }

  /** Writes a file under an unpredictable name, then renames it to {@code name}. */
  public void write(String name, String text) throws IOException {
    move(make(text), this, name);
  }

  /** Like {@link #write(String, String)}, for a file of any content. */
  void write(String name, byte[] content) throws IOException {
    move(make(content), this, name);
  }

  /** Creates a file with an unpredictable name, and returns the name. */
  String make(String text) throws IOException {
    return make(text.getBytes(StandardCharsets.UTF_8));
  }

  private String make(byte[] content) throws IOException {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    String hidden = "." + HexFormat.of().formatHex(random) + ".tmp";
    write(hidden, content, NEW);
    return hidden;
  }

  /** Replaces the content of an existing file. Does not create a missing file. */
  void overwrite(String name, String text) throws IOException {
    write(name, text.getBytes(StandardCharsets.UTF_8), WRITE_EXISTING);
  }

  /** Writes a file. Deletes the file if writing fails. */
  private void write(String file, byte[] content, Set<OpenOption> how) throws IOException {
    try {
      writeUninterrupted(file, content, how);
    } catch (IOException failure) {
      try {
        delete(file);
      } catch (IOException also) {
        failure.addSuppressed(also);
      }
      throw failure;
    }
  }

  /** Writes the file even if the thread is interrupted, and keeps the interrupt flag. */
  private void writeUninterrupted(String file, byte[] content, Set<OpenOption> how)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      writeOnce(file, content, how);
    } catch (ClosedByInterruptException toldJustNow) {
      interrupted = Thread.interrupted();
      writeOnce(file, content, WRITE_EXISTING); // The file exists by now.
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void writeOnce(String file, byte[] content, Set<OpenOption> how) throws IOException {
    try (SeekableByteChannel out = folder.newByteChannel(Path.of(file), how, MODE_600)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
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

  /** Deletes a file. Returns whether the file existed. */
  public boolean delete(String name) throws IOException {
    try {
      folder.deleteFile(Path.of(name));
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  /** Deletes the file that was read. Returns false if another file has replaced it. */
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

  /** Deletes a file if there is one. A folder of that name stays. */
  void forget(String name) {
    try {
      boolean _ = delete(name);
    } catch (IOException folder) {
      // A folder has this name; it stays.
    }
  }

  /** Moves a file into a folder. Returns false if the file is gone. */
  public boolean move(String name, DirectoryHandle to, String as) throws IOException {
    return move(Path.of(name), to, as);
  }

  boolean move(Path file, DirectoryHandle to, String as) throws IOException {
    try {
      folder.move(file, to.folder, Path.of(as));
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }
}
