package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.CheckoutState;
import dev.midcourse.core.id.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checkout in which a run works. A reference in the repository records the commit at which a
 * run began.
 */
public record Checkout(Path folder) {
  private static final String STARTS = "refs/midcourse/";
  private static final int MAX_COMPLAINTS = 5;

  static String startRef(RunId run) {
    return STARTS + run;
  }

  private Git git() {
    return new Git(folder);
  }

  /**
   * Records the current commit as the start of this run. An existing start is replaced only if
   * {@code anew} is set or if the start is no longer an ancestor of the current commit.
   */
  public void markStart(RunId run, boolean anew) {
    if (anew || !git().call("merge-base", "--is-ancestor", startRef(run), "HEAD").ok()) {
      git().must("update-ref", startRef(run), "HEAD");
    }
  }

  /** Discards all changes that are not committed. */
  public void reset() {
    git().must("reset", "--hard", "--quiet");
    git().must("clean", "-fdq");
  }

  /** Returns the real state of the checkout, compared with the commit that a completion claims. */
  public CheckoutState inspect(RunId run, BranchName branch, Optional<String> claimed) {
    Git git = git();
    Git.Result head = git.call("symbolic-ref", "--short", "--quiet", "HEAD");
    Optional<String> commit =
        claimed
            .map(sha -> git.call("rev-parse", "--verify", "--quiet", sha + "^{commit}"))
            .filter(Git.Result::ok)
            .map(Git.Result::line);
    Git.Result tip = git.call("rev-parse", "--verify", "--quiet", "refs/heads/" + branch);
    boolean last = tip.ok() && commit.equals(Optional.of(tip.line()));
    boolean fromStart =
        tip.ok() && git.call("merge-base", "--is-ancestor", startRef(run), tip.line()).ok();
    Git.Result status = git.call("status", "--porcelain");
    List<String> changed = fromStart ? changed(git, run, tip.line()) : List.of();
    return new CheckoutState(
        head.ok() ? Optional.of(head.line()) : Optional.empty(),
        commit,
        last,
        fromStart,
        status.ok() && status.output().isBlank(),
        changed);
  }

  private static List<String> changed(Git git, RunId run, String tip) {
    return git.must("diff", "--name-only", "--no-renames", startRef(run), tip).lines();
  }

  /**
   * Removes the checkout and the start references of the selected runs. The branch and its commits
   * stay.
   */
  public void remove(Predicate<RunId> marks) {
    String common = git().must("rev-parse", "--path-format=absolute", "--git-common-dir").line();
    Git repository = new Git(Path.of(common));
    repository.must("worktree", "remove", "--force", folder.toString());
    for (String ref : repository.must("for-each-ref", "--format=%(refname)", STARTS).lines()) {
      if (run(ref).filter(marks).isPresent()) {
        repository.call("update-ref", "-d", ref);
      }
    }
  }

  private static Optional<RunId> run(String ref) {
    try {
      return Optional.of(RunId.of(ref.substring(STARTS.length())));
    } catch (RefusedException notAMark) {
      return Optional.empty();
    }
  }

  /**
   * Returns all changes since the start of the run as a patch: committed or not, tracked or not,
   * except ignored files. The agent may be working at the same time, so its index is not changed.
   */
  public Patch diff(RunId run) {
    try {
      Path index = Files.createTempFile("midcourse", ".index");
      Path names = Files.createTempFile("midcourse", ".names");
      try {
        Path its = Path.of(git().must("rev-parse", "--git-path", "index").line());
        Files.copy(folder.resolve(its), index, StandardCopyOption.REPLACE_EXISTING);
        return diff(run, git().withIndex(index), names);
      } finally {
        Files.deleteIfExists(index);
        Files.deleteIfExists(names);
      }
    } catch (IOException e) {
      throw new RefusedException(
          Problem.of(
              Code.UNAVAILABLE,
              "repo",
              "a checkout whose index can be read",
              "the changes cannot be looked at: " + e.getMessage()),
          e);
    }
  }

  private static Patch diff(RunId run, Git git, Path names) throws IOException {
    List<String> lacking = new ArrayList<>(nowKnown(git, names));
    Git.Result diff = git.mostOf("diff", startRef(run));
    if (!diff.whole()) {
      lacking.add(
          "it has %d bytes and is cut here; all of it: git diff %s"
              .formatted(diff.bytes(), startRef(run)));
    }
    return Patch.of(diff.output(), lacking);
  }

  /**
   * Adds the untracked files to the index. Returns a message for each part that could not be added.
   * The files are named one by one. If git added whole folders, it would look into nested
   * repositories and run the programs that their settings name.
   */
  private static List<String> nowKnown(Git git, Path names) throws IOException {
    Git.Result found = git.mostOf("ls-files", "--others", "--exclude-standard", "-z");
    if (!found.whole()) {
      return List.of("there are too many files that git does not know");
    }
    List<String> files = new ArrayList<>(List.of(found.output().split("\0")));
    List<String> repositories = files.stream().filter(name -> name.endsWith("/")).toList();
    files.removeIf(name -> name.isEmpty() || name.endsWith("/"));
    List<String> lacking = new ArrayList<>();
    repositories.stream()
        .limit(MAX_COMPLAINTS)
        .forEach(name -> lacking.add(name + " is a repository of its own"));
    if (!files.isEmpty()) {
      Files.writeString(names, String.join("\0", files));
      Git.Result added =
          git.call(
              "add",
              "--intent-to-add",
              "--ignore-errors",
              "--pathspec-from-file=" + names,
              "--pathspec-file-nul");
      if (!added.ok()) {
        added
            .complaint()
            .lines()
            .filter(line -> line.startsWith("error:") || line.startsWith("fatal:"))
            .limit(MAX_COMPLAINTS)
            .forEach(lacking::add);
        lacking.add("git cannot read all that is new here");
      }
    }
    return lacking;
  }
}
