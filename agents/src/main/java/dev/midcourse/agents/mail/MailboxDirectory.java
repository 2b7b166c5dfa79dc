package dev.midcourse.agents.mail;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.agents.process.os.NoFollowDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One folder of a mailbox. The path from the root down to the folder is opened without following a
 * link. A written file has an unpredictable name until it is complete. Only regular files of
 * bounded size are read.
 *
 * @param root a folder to which only Midcourse can write
 * @param steps the names below the root; each is checked to be a single file name
 */
public record MailboxDirectory(Path root, List<String> steps) {
  private static final String WHOLE = ".json";
  private static final FileAttribute<?> MODE_700 =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  public MailboxDirectory {
    steps = List.copyOf(steps);
    for (String step : steps) {
      if (!step.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}") || step.contains("..")) {
        throw new IllegalArgumentException("not a name: " + step);
      }
    }
  }

  /**
   * The content of a file.
   *
   * @param identity identifies the file: a copy has another identity, a renamed file has the same
   */
  public record MailFile(String text, Instant changed, String identity, long size) {}

  /** A file cannot be read as a message. The text of the exception is the reason. */
  public static final class Unfit extends IOException {
    private static final long serialVersionUID = 1;

    Unfit(String why) {
      super(why);
    }
  }

  public MailboxDirectory in(String step) {
    List<String> further = new ArrayList<>(steps);
    further.add(step);
    return new MailboxDirectory(root, further);
  }

  public Path path() {
    Path path = root;
    for (String step : steps) {
      path = path.resolve(step);
    }
    return path;
  }

  /**
   * Creates the folder and its parents, closed to other users whatever the umask is. Refuses a
   * folder that is a link.
   */
  public MailboxDirectory made() throws IOException {
    Path path = Files.createDirectories(root, MODE_700);
    for (String step : steps) {
      path = path.resolve(step);
      try {
        Files.createDirectory(path, MODE_700);
      } catch (FileAlreadyExistsException there) {
        if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
          throw new Unfit(path + " is not a folder");
        }
      }
    }
    return this;
  }

  /** An operation in an open folder. */
  @FunctionalInterface
  public interface DirectoryAction<T> {
    T with(DirectoryHandle folder) throws IOException;
  }

  /**
   * Opens the folder once for several operations, because opening takes longer than reading most
   * messages.
   */
  public <T> T opened(DirectoryAction<T> work) throws IOException {
    try (DirectoryHandle folder = open()) {
      return work.with(folder);
    }
  }

  /** Opens the folder. The caller closes the handle. */
  DirectoryHandle open() throws IOException {
    return open(root, steps);
  }

  /** Opens the folder that the steps name below the root. The caller closes the handle. */
  static DirectoryHandle open(Path root, List<String> steps) throws IOException {
    Optional<NoFollowDirectory> held = NoFollowDirectory.open(root, steps);
    if (held.isEmpty()) {
      return new DirectoryHandle(down(root, steps), held);
    }
    try {
      return new DirectoryHandle(secure(held.get().path()), held);
    } catch (IOException failure) {
      held.get().close();
      throw failure;
    }
  }

  @SuppressWarnings("StreamResourceLeak") // the caller closes the stream
  private static SecureDirectoryStream<Path> secure(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this system cannot open folders without following links");
  }

  /** Opens the folder step by step, where the C library is not available. */
  private static SecureDirectoryStream<Path> down(Path root, List<String> steps)
      throws IOException {
    SecureDirectoryStream<Path> at = secure(root);
    for (String step : steps) {
      try (SecureDirectoryStream<Path> above = at) {
        at = above.newDirectoryStream(Path.of(step), NOFOLLOW_LINKS);
      }
    }
    return at;
  }

  /** Like {@link #write(String, String)}, for a file of any content. */
  public void write(String name, byte[] content) throws IOException {
    opened(folder -> {
      folder.write(name, content);
      return name;
    });
  }

  /** Writes a file, and replaces a file of that name. A reader sees the whole file or no file. */
  public void write(String name, String text) throws IOException {
    opened(folder -> {
      folder.write(name, text);
      return name;
    });
  }

  /** Whether this is the name of a complete message, and not of a file that is being written. */
  public static boolean isWhole(String name) {
    return name.endsWith(WHOLE) && !name.startsWith(".");
  }

  /** Counts the complete messages, up to {@code max}. */
  public int count(int max) throws IOException {
    return opened(folder -> folder.count(max));
  }

  /** Reads a regular file; empty if the file is gone. */
  public Optional<MailFile> read(String name, int maxBytes) throws IOException {
    return opened(folder -> folder.read(name, maxBytes));
  }

  public boolean has(String name) throws IOException {
    return opened(folder -> folder.has(name));
  }

  /** Deletes a file. Returns whether the file existed. */
  public boolean delete(String name) throws IOException {
    return opened(folder -> folder.delete(name));
  }

  /** Returns the names of all files. */
  public List<String> all() throws IOException {
    return opened(DirectoryHandle::all);
  }

  /**
   * Removes a folder below this one with its files and links. Fails if that folder contains
   * folders.
   */
  public void removeFolder(String name) throws IOException {
    opened(folder -> {
      folder.removeFolder(name);
      return name;
    });
  }

  /** Renames a file inside the folder. Returns false if the file is gone. */
  public boolean rename(String name, String to) throws IOException {
    return opened(folder -> folder.move(name, folder, to));
  }
}
