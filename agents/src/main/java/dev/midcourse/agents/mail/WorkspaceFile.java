package dev.midcourse.agents.mail;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file below a folder that an agent can write. The path cannot leave the folder: it has no {@code
 * ..}, and neither a folder on the way nor the file may be a link.
 *
 * @param folders the names of the folders between the root and the file
 */
public record WorkspaceFile(Path root, List<String> folders, String name) {
  private static final int MAX_DEPTH = 64;

  public WorkspaceFile {
    folders = List.copyOf(folders);
  }

  /**
   * Reads a path: one that begins at the root, or an absolute one below the root.
   *
   * @throws MailboxDirectory.Unfit if the path does not name a file below the root
   */
  public static WorkspaceFile of(Path root, String text) throws IOException {
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException notAPath) {
      throw new MailboxDirectory.Unfit("it is not a path");
    }
    if (path.isAbsolute()) {
      if (!path.startsWith(root)) {
        throw new MailboxDirectory.Unfit("it is outside of the workspace");
      }
      path = root.relativize(path);
    }
    List<String> names = new ArrayList<>();
    for (Path step : path) {
      String name = step.toString();
      if (name.equals("..")) {
        throw new MailboxDirectory.Unfit("a path with .. is not accepted");
      }
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    if (names.isEmpty() || names.size() > MAX_DEPTH) {
      throw new MailboxDirectory.Unfit("it names no file in the workspace");
    }
    return new WorkspaceFile(root, names.subList(0, names.size() - 1), names.getLast());
  }

  /**
   * Reads the file, which must be a regular one of at most so many bytes.
   *
   * @throws MailboxDirectory.Unfit if there is no such file, or it cannot be read safely
   */
  public byte[] read(int maxBytes) throws IOException {
    try (DirectoryHandle folder = MailboxDirectory.open(root, folders)) {
      return folder.content(name, maxBytes);
    } catch (NoSuchFileException none) {
      throw new MailboxDirectory.Unfit("there is no such file");
    } catch (FileSystemException unreadable) {
      throw new MailboxDirectory.Unfit("it cannot be read; links are not followed");
    }
  }
}
