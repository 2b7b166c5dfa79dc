package dev.midcourse.hub.mailbox;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The folder of all mailboxes. It may be a link to a folder outside of the data folder, for example
 * in memory, where the permissions of the data folder protect nothing. So the folder itself must
 * belong to the user of the hub and be closed to all others.
 */
public final class MailboxRoot {
  private static final Set<PosixFilePermission> MODE_700 =
      PosixFilePermissions.fromString("rwx------");
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int STICKY = 01000;
  private static final String RULE = "a folder of your own, closed to other users";

  private MailboxRoot() {}

  /** Creates the folder if it does not exist, and closes it to other users. */
  public static void prepare(Path root) {
    try {
      if (Files.notExists(root, NOFOLLOW_LINKS)) {
        Files.createDirectory(root, PosixFilePermissions.asFileAttribute(MODE_700));
      }
      check(root)
          .ifPresent(problem -> {
            throw problem.refused();
          });
      Path folder = root.toRealPath();
      if (!Files.getPosixFilePermissions(folder).equals(MODE_700)) {
        Files.setPosixFilePermissions(folder, MODE_700);
      }
    } catch (IOException e) {
      throw new RefusedException(
          problem(root, String.valueOf(e.getMessage()), "ls -ld '" + root + "'"), e);
    }
  }

  /** Returns why the folder cannot be used, with the command that helps; empty if it can. */
  public static Optional<Problem> check(Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      return Optional.of(
          Files.isSymbolicLink(root)
              ? problem(
                  root,
                  "the target of the link does not exist",
                  "mkdir -m 700 '" + root.resolveSibling(Files.readSymbolicLink(root)) + "'")
              : problem(root, "it is not a folder", "rm '" + root + "'"));
    }
    Path folder = root.toRealPath();
    int owner = (int) Files.getAttribute(folder, "unix:uid");
    int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (owner != user) {
      return Optional.of(problem(root, folder + " belongs to user " + owner, "rm '" + root + "'"));
    }
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      int mode = (int) Files.getAttribute(above, "unix:mode");
      if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
        return Optional.of(
            problem(
                root,
                "other users can replace " + folder + ", because they can write to " + above,
                "chmod go-w '" + above + "'"));
      }
    }
    return Optional.empty();
  }

  /** Returns whether other users can look into the folder now. */
  public static boolean isOpenToOthers(Path root) throws IOException {
    return Files.isDirectory(root)
        && !Files.getPosixFilePermissions(root.toRealPath()).equals(MODE_700);
  }

  private static Problem problem(Path root, String why, String command) {
    return Problem.of(
        Code.UNAVAILABLE,
        "ipc",
        RULE,
        "the mailboxes in " + root + " cannot be used: " + why + "; try: " + command);
  }
}
