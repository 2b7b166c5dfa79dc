package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.RepoName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A repository on this machine that provides checkouts for runs. Each checkout is a worktree on its
 * own branch. Git itself refuses a second checkout of a branch.
 */
public final class Repository {
  private final Path folder;
  private final Git git;

  private Repository(Path folder) {
    this.folder = folder;
    this.git = new Git(folder);
  }

  /**
   * Returns the repository of this name under a worker's workspace: a folder named after the
   * repository, or the workspace itself.
   */
  public static Repository in(Path workspace, RepoName name) {
    return Stream.of(
            workspace.resolve(name.owner()).resolve(name.name()),
            workspace.resolve(name.name()),
            workspace)
        .filter(Repository::isOne)
        .findFirst()
        .map(Repository::new)
        .orElseThrow(() ->
            Problem.of(
                    Code.INVALID,
                    "repo",
                    "a clone in the worker's workspace",
                    "there is no clone of " + name + " in " + workspace)
                .refused());
  }

  private static boolean isOne(Path folder) {
    return Files.exists(folder.resolve(".git")) || Files.isRegularFile(folder.resolve("HEAD"));
  }

  public Path folder() {
    return folder;
  }

  /** Returns the folder where this branch is checked out, if there is one. */
  public Optional<Path> checkoutOf(BranchName branch) {
    git.must("worktree", "prune");
    Optional<Path> at = Optional.empty();
    for (String line : git.must("worktree", "list", "--porcelain").lines()) {
      if (line.startsWith("worktree ")) {
        at = Optional.of(Path.of(line.substring("worktree ".length())));
      } else if (line.equals("branch refs/heads/" + branch)) {
        return at;
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a checkout of the branch. A branch that does not exist yet begins at its base. An
   * earlier checkout at this place is switched back to the branch, because an agent may have left
   * it on another branch.
   */
  public Checkout checkOut(Path at, BranchName branch, Optional<BranchName> base) {
    String name = branch.value();
    boolean known = git.call("rev-parse", "--verify", "--quiet", "refs/heads/" + name).ok();
    String start =
        known
            ? name
            : base.map(this::commitOf).orElseGet(() -> git.must("rev-parse", "HEAD").line());
    boolean there = Files.isDirectory(at);
    if (there && known) {
      new Git(at).must("checkout", "--quiet", name, "--");
    } else if (there) {
      new Git(at).must("checkout", "--quiet", "--no-track", "-b", name, start);
    } else if (known) {
      git.must("worktree", "add", "--quiet", at.toString(), name);
    } else {
      git.must("worktree", "add", "--quiet", "-b", name, at.toString(), start);
    }
    return new Checkout(at);
  }

  /** Returns the reference of a local branch, or else of a branch of {@code origin}. */
  private String commitOf(BranchName base) {
    return Stream.of("refs/heads/" + base, "refs/remotes/origin/" + base)
        .filter(ref -> git.call("rev-parse", "--verify", "--quiet", ref).ok())
        .findFirst()
        .orElseThrow(() ->
            Problem.invalid(
                    "base_branch", "a branch of the repository", "there is no branch " + base)
                .refused());
  }
}
