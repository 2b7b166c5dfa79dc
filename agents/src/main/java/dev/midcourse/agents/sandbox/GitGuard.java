package dev.midcourse.agents.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Lets a program commit to the repository of its workspace, and protects the files that git
 * executes or trusts. The protected files are hooks, settings, the pointers to the repository, the
 * worktrees of other runs, and the start references of runs. They are mounted read-only, and a
 * mounted file cannot be replaced or moved.
 */
final class GitGuard {
  private static final String POINTER = "gitdir: ";

  private GitGuard() {}

  static void of(Path workspace, Mounts mounts) throws IOException {
    Path git = workspace.resolve(".git");
    if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
      mounts.writable(git);
      guard(git, mounts);
    } else if (Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)) {
      worktree(git, mounts);
    }
  }

  private static void worktree(Path git, Mounts mounts) throws IOException {
    Path own = Path.of(line(git).substring(POINTER.length())).normalize();
    Path all = own.resolve("../..").normalize();
    if (!own.startsWith(all.resolve("worktrees")) || !pointsBack(own, git)) {
      throw new IOException(git + " is not what git made of it: the workspace is not used");
    }
    mounts.writable(all);
    guard(all, mounts);
    mounts.writable(own);
    there(own.resolve("config.worktree"));
    for (String name : new String[] {"commondir", "gitdir", "config.worktree"}) {
      mounts.readable(own.resolve(name));
    }
    mounts.readable(git);
  }

  /**
   * Returns whether the repository refers back to this worktree. Any program can write the file in
   * the workspace, but only git writes this file in the repository.
   */
  private static boolean pointsBack(Path own, Path git) throws IOException {
    Path back = own.resolve("gitdir");
    if (!Files.isRegularFile(back, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Path claimed = Path.of(line(back));
    return Files.exists(claimed) && Files.isSameFile(claimed, git);
  }

  private static void guard(Path repository, Mounts mounts) throws IOException {
    there(repository.resolve("config.worktree"));
    mounts.writable(repository.resolve("refs"));
    for (String name : new String[] {"hooks", "info", "worktrees", "refs/midcourse"}) {
      Files.createDirectories(repository.resolve(name));
      mounts.readable(repository.resolve(name));
    }
    for (String name : new String[] {"config", "config.worktree"}) {
      mounts.readable(repository.resolve(name));
    }
  }

  /**
   * Creates an empty file if it does not exist, because only an existing file can be mounted
   * read-only. An empty settings file has no effect.
   */
  private static void there(Path file) throws IOException {
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(file);
    }
  }

  private static String line(Path file) throws IOException {
    String text = Files.readString(file).strip();
    if (text.lines().count() != 1) {
      throw new IOException(file + " is not one line");
    }
    return text;
  }
}
