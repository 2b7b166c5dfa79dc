package dev.midcourse.agents.mail;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.agents.process.os.NoFollowDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One folder of a mailbox. Every step from the root down is taken without following a link; what is
 * written appears whole, under a name nobody can foresee until it is; what is read is a plain file
 * of bounded size.
 *
 * @param root a folder that is ours alone
 * @param steps the names below it, each checked to be a name and no path
 */
public record MailboxDirectory(Path root, List<String> steps) {
  private static final String WHOLE = ".json";

  public MailboxDirectory {
    steps = List.copyOf(steps);
    for (String step : steps) {
      if (!step.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}") || step.contains("..")) {
        throw new IllegalArgumentException("not a name: " + step);
      }
    }
  }

  /**
   * What was found in a file.
   *
   * @param identity which file it is: another one for a copy, the same when it is renamed
   */
  public record MailFile(String text, Instant changed, String identity, long size) {}

  /** What cannot be read as a letter, and why. */
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

  /** Makes the folder and those above it; one that is a link is refused. */
  public MailboxDirectory made() throws IOException {
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

  /** What is done in a folder while it is open. */
  @FunctionalInterface
  public interface DirectoryAction<T> {
    T with(DirectoryHandle folder) throws IOException;
  }

  /** Opens the folder once for all that is done in it: that takes longer than most letters. */
  public <T> T opened(DirectoryAction<T> work) throws IOException {
    try (DirectoryHandle folder = open()) {
      return work.with(folder);
    }
  }

  /** Opens the folder until it is closed. */
  DirectoryHandle open() throws IOException {
    Optional<NoFollowDirectory> held = NoFollowDirectory.open(root, steps);
    if (held.isEmpty()) {
      return new DirectoryHandle(down(), held);
    }
    try {
      return new DirectoryHandle(secure(held.get().path()), held);
    } catch (IOException failure) {
      held.get().close();
      throw failure;
    }
  }

  @SuppressWarnings("StreamResourceLeak") // whoever opens the folder closes it
  private static SecureDirectoryStream<Path> secure(Path folder) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this system cannot open folders without following links");
  }

  /** Where the C library cannot be called. */
  private SecureDirectoryStream<Path> down() throws IOException {
    SecureDirectoryStream<Path> at = secure(root);
    for (String step : steps) {
      try (SecureDirectoryStream<Path> above = at) {
        at = above.newDirectoryStream(Path.of(step), NOFOLLOW_LINKS);
      }
    }
    return at;
  }

  /** Writes a file so that whoever looks sees all of it or none; replaces one of that name. */
  public void write(String name, String text) throws IOException {
    opened(folder -> {
      folder.write(name, text);
      return name;
    });
  }

  /** Whether this is the name of a letter that is not being written any more. */
  public static boolean isWhole(String name) {
    return name.endsWith(WHOLE) && !name.startsWith(".");
  }

  /** How many whole letters there are, counted up to so many. */
  public int count(int most) throws IOException {
    return opened(folder -> folder.count(most));
  }

  /** The text of a plain file; nothing when it is gone. */
  public Optional<MailFile> read(String name, int mostBytes) throws IOException {
    return opened(folder -> folder.read(name, mostBytes));
  }

  public boolean has(String name) throws IOException {
    return opened(folder -> folder.has(name));
  }

  /** Whether it was there, and is gone now. */
  public boolean delete(String name) throws IOException {
    return opened(folder -> folder.delete(name));
  }

  /** The names of everything that lies in it. */
  public List<String> all() throws IOException {
    return opened(DirectoryHandle::all);
  }

  /** Removes a folder in this one with the files and links in it; one with folders stays. */
  public void removeFolder(String name) throws IOException {
    opened(folder -> {
      folder.removeFolder(name);
      return name;
    });
  }

  /** Renames a file inside the folder; false when it is gone. */
  public boolean rename(String name, String to) throws IOException {
    return opened(folder -> folder.move(name, folder, to));
  }
}
