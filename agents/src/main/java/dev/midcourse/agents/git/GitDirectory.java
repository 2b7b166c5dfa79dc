package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The git folders of a work tree or of a clone.
 *
 * @param own the folder with HEAD and index: of the clone itself, or of one of its worktrees
 * @param common the folder with settings, objects and references, which all worktrees share
 */
public record GitDirectory(Path own, Path common) {
  private static final String POINTER = "gitdir: ";
  private static final String WORKTREES = "worktrees";
  private static final int MAX_LINE_BYTES = 8_192;
  private static final int MAX_ALTERNATES_BYTES = 1024 * 1024;

  /** The content of {@code commondir} in the git folder of a worktree. */
  private static final String COMMON_OF_WORKTREE = "../..";

  /** Returns the folder with settings and objects of a clone of the user, without any check. */
  static Path commonOfClone(Path folder) {
    Path git = folder.resolve(".git");
    if (Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)) {
      Path own = target(git);
      return isWorktree(own) ? parent(parent(own)) : own;
    }
    if (Files.isDirectory(git)) { // may be a link, which only the user makes in this folder
      return real(git);
    }
    return real(folder);
  }

  private static GitDirectory whole(Path common) {
    new CloneCheck(common).refuse();
    return new GitDirectory(common, common);
  }

  private static boolean isWorktree(Path own) {
    Path all = own.getParent();
    return all != null && all.endsWith(WORKTREES) && Files.exists(own.resolve("commondir"));
  }

  /**
   * Returns the git folders of a worktree, after a check that worktree and repository refer to each
   * other in the way that git has written. Refuses a worktree where one of the files says something
   * else, and names the file.
   */
  public static GitDirectory ofWorktree(Path folder) {
    Path git = folder.resolve(".git");
    if (!Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)) {
      throw tampered(git, "it is not the file with the location of the repository");
    }
    Path own = target(git);
    Path all = parent(own);
    Path common = parent(all);
    if (!all.endsWith(WORKTREES) || !Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
      throw tampered(git, "it names a folder that is not that of a worktree");
    }
    if (!COMMON_OF_WORKTREE.equals(line(own.resolve("commondir")))) {
      throw tampered(own.resolve("commondir"), "it names another repository");
    }
    Path back = Path.of(line(own.resolve("gitdir")));
    if (!isSame(all.resolve(own.getFileName()).resolve(back).normalize(), git)) {
      throw tampered(own.resolve("gitdir"), "it names another worktree");
    }
    new CloneCheck(common).refuse();
    return new GitDirectory(own, common);
  }

  /**
   * Returns the git folder of the worktree that the repository has at this place, if any. A
   * worktree whose files cannot be read is left out.
   */
  static Optional<Path> worktreeAt(Path common, Path folder) {
    Path all = common.resolve(WORKTREES);
    if (!Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    Path named = folder.toAbsolutePath().normalize();
    Path parent = parent(named);
    Path found = Files.isDirectory(parent) ? real(parent).resolve(parent.relativize(named)) : named;
    try (Stream<Path> worktrees = Files.list(all)) {
      return worktrees
          .filter(own -> isAt(own, named.resolve(".git")) || isAt(own, found.resolve(".git")))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      throw new RefusedException(Git.failed(all + " cannot be read: " + e.getMessage()), e);
    }
  }

  private static boolean isAt(Path own, Path git) {
    try {
      return own.resolve(line(own.resolve("gitdir"))).normalize().equals(git);
    } catch (RefusedException | InvalidPathException unreadable) {
      return false;
    }
  }

  /**
   * Returns the git folders of a work tree: of a clone with its own git folder or of a worktree.
   * Empty if the folder is neither.
   */
  public static Optional<GitDirectory> of(Path folder) {
    Path git = folder.resolve(".git");
    if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of(whole(git.toAbsolutePath()));
    }
    return Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(ofWorktree(folder))
        : Optional.empty();
  }

  /** Returns the absolute paths of the other folders from which the repository takes objects. */
  public List<Path> alternates() {
    return AgentFile.text(common, Path.of("objects/info/alternates"), MAX_ALTERNATES_BYTES)
        .orElse("")
        .lines()
        .filter(line -> line.startsWith("/") && line.indexOf('\0') < 0)
        .map(Path::of)
        .toList();
  }

  public boolean isWorktree() {
    return !own.equals(common);
  }

  /** Returns the name under which the repository knows this worktree. */
  public String name() {
    return isWorktree() ? String.valueOf(own.getFileName()) : "main";
  }

  private static Path target(Path git) {
    String text = line(git);
    if (!text.startsWith(POINTER)) {
      throw tampered(git, "it is not the file with the location of the repository");
    }
    return parent(git.toAbsolutePath()).resolve(text.substring(POINTER.length())).normalize();
  }

  /** Returns the single line of a small file that is not a link. */
  private static String line(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw tampered(file, "it is missing or not a file");
    }
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      String text = new String(in.readNBytes(MAX_LINE_BYTES), StandardCharsets.UTF_8).strip();
      if (text.lines().count() != 1 || text.indexOf('\0') >= 0) {
        throw tampered(file, "it is not one line");
      }
      return text;
    } catch (IOException e) {
      throw new RefusedException(Git.failed(file + " cannot be read: " + e.getMessage()), e);
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException missing) {
      return false;
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new RefusedException(Git.failed(path + " cannot be read: " + e.getMessage()), e);
    }
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw tampered(path, "it has no parent folder");
    }
    return parent;
  }

  /** Returns the refusal of a file that git trusts and that is not what git has made of it. */
  static RefusedException tampered(Path file, String how) {
    return Problem.of(
            Code.UNAVAILABLE,
            "repo",
            "a repository that only git has written",
            "%s was tampered with: %s. Nothing is used of it until it is repaired: midcourse repair RUN"
                .formatted(file, how))
        .refused();
  }
}
