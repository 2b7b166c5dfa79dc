package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.RepoName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A repository on this machine that provides checkouts for runs. Each checkout is a worktree on its
 * own branch. Git itself refuses a second checkout of a branch.
 */
public final class Repository {
  private final Path folder;
  private final Path common;
  private final Git git;

  private Repository(Path folder) {
    this.folder = folder;
    this.common = GitDirectory.commonOfClone(folder);
    this.git = Git.of(new GitDirectory(common, common));
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

  /** Returns the repository whose clone is this folder. */
  public static Repository at(Path folder) {
    if (!isOne(folder)) {
      throw Problem.of(
              Code.INVALID, "repo", "a git repository", folder + " is not a git repository")
          .refused();
    }
    return new Repository(folder);
  }

  private static boolean isOne(Path folder) {
    return Files.exists(folder.resolve(".git")) || Files.isRegularFile(folder.resolve("HEAD"));
  }

  public Path folder() {
    return folder;
  }

  Path common() {
    return common;
  }

  Git git() {
    return git;
  }

  /** Returns the branch that is checked out in the clone, if it is on one. */
  public Optional<BranchName> currentBranch() {
    check();
    return GitDirectory.of(folder)
        .map(its -> Git.of(its).call("symbolic-ref", "--short", "--quiet", "HEAD"))
        .filter(Git.Result::ok)
        .map(name -> BranchName.of(name.line()));
  }

  /** Returns the address of the remote {@code origin} as the settings of the clone have it. */
  public Optional<String> origin() {
    check();
    return Git.settingsOf(common.resolve("config")).names().stream()
        .filter(setting -> setting.startsWith("remote.origin.url\n"))
        .map(setting -> setting.substring(setting.indexOf('\n') + 1))
        .findFirst();
  }

  /** Refuses a clone whose git files were tampered with, and names the first such file. */
  public void check() {
    new CloneCheck(common).refuse();
  }

  /**
   * Returns the changes between two commits as a patch, compared by their objects. A patch that is
   * larger than the limit is cut, and says so at its end.
   */
  public Patch changes(String from, String to) {
    check();
    try (ObjectView view = ObjectView.of(new GitDirectory(common, common))) {
      Git.Result diff = view.git().mostOf("diff", "--ignore-submodules=none", from, to);
      List<String> lacking = new ArrayList<>();
      Checkout.noteCut(diff, "git diff " + from + " " + to, lacking);
      return Patch.of(diff.output(), "", lacking);
    }
  }

  /** Returns the folder where this branch is checked out, if there is one. */
  public Optional<Path> checkoutOf(BranchName branch) {
    check();
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
    check();
    String name = branch.value();
    boolean known = git.call("rev-parse", "--verify", "--quiet", "refs/heads/" + name).ok();
    String start =
        known
            ? "refs/heads/" + name
            : base.map(this::commitOf).orElseGet(() -> git.must("rev-parse", "HEAD").line());
    if (Files.isDirectory(at)) {
      switchTo(at, name, start, known);
    } else {
      addWorktree(at, name, start, known);
    }
    return new Checkout(at);
  }

  /**
   * Creates a worktree. The files come from the objects, without the filters that settings and
   * attributes could name.
   */
  private void addWorktree(Path at, String name, String start, boolean known) {
    if (known) {
      git.must("worktree", "add", "--quiet", "--no-checkout", at.toString(), name);
    } else {
      git.must("worktree", "add", "--quiet", "--no-checkout", "-b", name, at.toString(), start);
    }
    GitDirectory made = GitDirectory.ofWorktree(at);
    try (ObjectView view = ObjectView.of(made)) {
      String tip = Git.of(made).must("rev-parse", "--verify", "HEAD^{commit}").line();
      view.at(at).must("read-tree", "--reset", "-u", tip);
      Checkout.replaceIndex(made, view);
    }
  }

  /** Switches an existing worktree to a branch. Refuses if changes would be overwritten. */
  private void switchTo(Path at, String name, String start, boolean known) {
    GitDirectory worktree = GitDirectory.ofWorktree(at);
    Git references = Git.of(worktree);
    String current = references.must("rev-parse", "--verify", "HEAD^{commit}").line();
    String target = git.must("rev-parse", "--verify", start + "^{commit}").line();
    try (ObjectView view = ObjectView.of(worktree)) {
      Git files = view.at(at);
      files.must("read-tree", current);
      files.call("update-index", "-q", "--refresh");
      files.must("read-tree", "-m", "-u", current, target);
      if (!known) {
        references.must("update-ref", "refs/heads/" + name, target, "0".repeat(target.length()));
      }
      references.must("symbolic-ref", "HEAD", "refs/heads/" + name);
      Checkout.replaceIndex(worktree, view);
    }
  }

  /**
   * Lets a branch begin at the commit of a forge, or moves it forward to it. Refuses a branch that
   * has commits which the forge has not. A branch that is checked out stays as it is.
   */
  public void adopt(BranchName branch, String commit) {
    if (checkoutOf(branch).isPresent()) {
      return;
    }
    String reference = "refs/heads/" + branch;
    Git.Result before = git.call("rev-parse", "--verify", "--quiet", reference + "^{commit}");
    if (!before.ok()) {
      git.must("update-ref", reference, commit, "0".repeat(commit.length()));
    } else if (git.call("merge-base", "--is-ancestor", before.line(), commit).ok()) {
      git.must("update-ref", reference, commit, before.line());
    } else {
      throw Problem.invalid(
              "branch",
              "a branch with which the forge is up to date",
              "branch " + branch + " of the clone has commits that the forge has not")
          .refused();
    }
  }

  /** Returns the reference of a local branch, or else of a branch of {@code origin}. */
  String commitOf(BranchName base) {
    return Stream.of("refs/heads/" + base, "refs/remotes/origin/" + base)
        .filter(ref -> git.call("rev-parse", "--verify", "--quiet", ref).ok())
        .findFirst()
        .orElseThrow(() ->
            Problem.invalid(
                    "base_branch", "a branch of the repository", "there is no branch " + base)
                .refused());
  }
}
