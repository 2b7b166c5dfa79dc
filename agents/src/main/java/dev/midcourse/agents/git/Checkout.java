package dev.midcourse.agents.git;

import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.WorkFound;
import dev.midcourse.core.id.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The checkout that a run works in. Where a run began is kept as a reference of the repository. */
public record Checkout(Path folder) {

  static String startRef(RunId run) {
    return "refs/midcourse/" + run;
  }

  private Git git() {
    return new Git(folder);
  }

  /** Remembers where this run begins; a second time only when it is to forget the first. */
  public void markStart(RunId run, boolean anew) {
    boolean marked = git().call("rev-parse", "--verify", "--quiet", startRef(run)).ok();
    if (anew || !marked) {
      git().must("update-ref", startRef(run), "HEAD");
    }
  }

  /** Throws away what is not committed. */
  public void reset() {
    git().must("reset", "--hard", "--quiet");
    git().must("clean", "-fdq");
  }

  /** What is really here, held against the commit that somebody claims. */
  public WorkFound inspect(RunId run, BranchName branch, Optional<String> claimed) {
    Git git = git();
    Git.Result head = git.call("symbolic-ref", "--short", "--quiet", "HEAD");
    Optional<String> commit =
        claimed
            .map(sha -> git.call("rev-parse", "--verify", "--quiet", sha + "^{commit}"))
            .filter(Git.Result::ok)
            .map(Git.Result::line);
    boolean onBranch =
        commit.isPresent()
            && git.call("merge-base", "--is-ancestor", commit.get(), "refs/heads/" + branch).ok();
    Git.Result status = git.call("status", "--porcelain");
    List<String> changed = onBranch ? changed(git, run, commit.orElseThrow()) : List.of();
    return new WorkFound(
        head.ok() ? Optional.of(head.line()) : Optional.empty(),
        commit,
        onBranch,
        status.ok() && status.output().isBlank(),
        changed);
  }

  private static List<String> changed(Git git, RunId run, String commit) {
    return git.must("diff", "--name-only", "--no-renames", startRef(run), commit).lines();
  }

  /** Lets the checkout go; the branch and its commits stay. */
  public void remove(RunId run) {
    String common = git().must("rev-parse", "--path-format=absolute", "--git-common-dir").line();
    Git repository = new Git(Path.of(common));
    repository.must("worktree", "remove", "--force", folder.toString());
    repository.call("update-ref", "-d", startRef(run));
  }

  /** Everything that differs from where the run began, committed or not, as a patch. */
  public String diff(RunId run) {
    return git().must("diff", "--no-ext-diff", "--no-textconv", startRef(run)).output();
  }
}
