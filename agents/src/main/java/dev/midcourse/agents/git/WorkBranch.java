package dev.midcourse.agents.git;

import dev.midcourse.core.Problem;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.loop.step.CommitState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The branch on which a loop works, with its checkout. All methods read the references again, so
 * they may be repeated after a crash.
 */
public final class WorkBranch {
  private static final Pattern MARKER = Pattern.compile("(.+):\\d+: leftover conflict marker");

  /** Paths of files that are tests by the usual conventions. */
  private static final Pattern TEST =
      Pattern.compile(
          "(.*/)?(src/test/.*|tests?/.*|__tests__/.*|specs?/.*|test_[^/]*|[^/]*[._-](test|spec)"
              + "\\.[a-z]+|[^/]*(Test|Tests|IT|Spec)\\.[a-z]+)");

  /** The lines on each side of a line that belong to its anchor. */
  private static final int ANCHOR_LINES = 3;

  private final Repository repository;
  private final Path folder;
  private final BranchName branch;
  private final BranchName base;

  public WorkBranch(Repository repository, Path folder, BranchName branch, BranchName base) {
    this.repository = repository;
    this.folder = folder;
    this.branch = branch;
    this.base = base;
  }

  /** The commit at which the branch leaves its base, and the branch as it is. */
  public record Prepared(String base, CommitState at) {}

  /**
   * Creates the branch and its checkout. What an earlier try has left is completed or replaced: no
   * agent has worked there yet. Refuses a branch that is checked out elsewhere.
   */
  public Prepared prepare() {
    Optional<Path> holder = repository.checkoutOf(branch);
    if (holder.filter(at -> !at.equals(folder)).isPresent()) {
      throw Problem.of(
              Problem.Code.DUPLICATE,
              "branch",
              "a free branch",
              "branch " + branch + " is checked out at " + holder.get())
          .refused();
    }
    if (holder.isPresent() && Files.isDirectory(folder)) {
      new Checkout(folder).reset();
    } else {
      ReviewCheckout.remove(repository, folder);
      repository.checkOut(folder, branch, Optional.of(base));
    }
    String tip = tip();
    String from = repository.git().must("merge-base", repository.commitOf(base), tip).line();
    return new Prepared(from, read(from, tip));
  }

  /** The newest commit of the branch, with everything that an agent has committed. */
  public String tip() {
    return tip(new Checkout(folder).repository()).commit();
  }

  /**
   * The branch in the repository.
   *
   * @param isHead whether HEAD of the worktree refers to it
   */
  private record Tip(String commit, String tree, boolean isHead) {}

  private Tip tip(GitDirectory git) {
    String reference = "refs/heads/" + branch;
    return Git.of(git)
        .must(
            "for-each-ref",
            "--format=%(refname) %(objectname) %(tree) %(objecttype) %(HEAD)",
            reference)
        .lines()
        .stream()
        .map(line -> line.split(" ", -1))
        .filter(parts -> parts[0].equals(reference) && parts[3].equals("commit"))
        .map(parts -> new Tip(parts[1], parts[2], parts[4].equals("*")))
        .findFirst()
        .orElseThrow(() -> Git.failed("there is no branch " + branch).refused());
  }

  /**
   * The branch as it is.
   *
   * @param from the commit at which the branch began
   * @param known the commit that the branch had before
   */
  public CommitState read(String from, String known) {
    Checkout checkout = new Checkout(folder);
    GitDirectory git = checkout.repository();
    Tip tip = tip(git);
    String commit = tip.commit();
    try (ObjectView view = ObjectView.withoutIgnoreFile(git, commit)) {
      Git objects = view.git();
      try (Git.Running descent = objects.begin("merge-base", "--is-ancestor", known, commit);
          Git.Running deleted =
              objects.begin(
                  "diff", "--diff-filter=D", "--name-only", "--find-renames", "-z", from, commit);
          Git.Running markers = objects.begin("diff", "--check", from, commit)) {
        return new CommitState(
            commit,
            tip.tree(),
            isCheckedOut(git, tip),
            BaseBranch.isAncestor(descent.result()),
            checkout.isClean(view, commit),
            deletedTests(deleted.result()),
            conflictMarkers(markers.result()));
      }
    }
  }

  /** An agent in a sandbox has a HEAD of its own. */
  private boolean isCheckedOut(GitDirectory git, Tip tip) {
    PrivateRepository agents = PrivateRepository.of(folder, git);
    return agents.exists()
        ? agents.checkedOutBranch().filter(branch.value()::equals).isPresent()
        : tip.isHead();
  }

  private static List<String> deletedTests(Git.Result deleted) {
    return Git.whole("diff", deleted).names().stream()
        .filter(name -> TEST.matcher(name).matches())
        .toList();
  }

  private static List<String> conflictMarkers(Git.Result check) {
    if (!check.whole() || check.status() < 0 || check.status() > 2) {
      throw Git.failed("git diff failed: " + Git.reason(check)).refused();
    }
    return check.lines().stream()
        .map(MARKER::matcher)
        .filter(Matcher::matches)
        .map(marker -> marker.group(1))
        .distinct()
        .toList();
  }

  /**
   * A digest of the lines around a line of a file, without their indentation. It stays the same
   * when the lines move. Blank if the commit has no such line.
   */
  public String anchor(String commit, String path, int line) {
    Git.Result file = Git.of(new Checkout(folder).repository()).call("show", commit + ":" + path);
    List<String> lines = file.ok() && file.whole() ? file.lines() : List.of();
    if (line < 1 || line > lines.size()) {
      return "";
    }
    int first = Math.max(0, line - 1 - ANCHOR_LINES);
    int end = Math.min(lines.size(), line + ANCHOR_LINES);
    String around =
        lines.subList(first, end).stream().map(String::strip).collect(Collectors.joining("\n"));
    return digest(around);
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  /** The result of landing a commit on the base. */
  public sealed interface LandResult {
    /** The base has the commit, from now on or from before. */
    record Landed(String commit) implements LandResult {}

    /** The base had moved; the branch has a merge commit with it now, which nobody has checked. */
    record BaseMerged() implements LandResult {}

    /** The base had moved, and git cannot merge these files. */
    record Conflict(List<String> files) implements LandResult {}

    /** A person has to do something first. */
    record Refused(String why) implements LandResult {}
  }

  /**
   * Moves the base forward to this commit, if it follows the base. Otherwise merges the base into
   * the branch. Never rewrites a branch.
   */
  public LandResult land(String head) {
    repository.check();
    Git git = repository.git();
    String current = git.must("rev-parse", "--verify", "refs/heads/" + base + "^{commit}").line();
    if (BaseBranch.isAncestor(git, head, current)) {
      return new LandResult.Landed(current);
    }
    if (!tip().equals(head)) {
      return new LandResult.Refused("branch " + branch + " has moved meanwhile");
    }
    return BaseBranch.isAncestor(git, current, head)
        ? moveBase(current, head)
        : mergeBase(current, head);
  }

  private LandResult moveBase(String current, String head) {
    return switch (new BaseBranch(repository, base).move(current, head)) {
      case BaseBranch.MoveResult.Moved _ -> new LandResult.Landed(head);
      case BaseBranch.MoveResult.OtherBase _ ->
          new LandResult.Refused(base + " has moved just now; go on to try again");
      case BaseBranch.MoveResult.Refused(String why) -> new LandResult.Refused(why);
    };
  }

  /** The result of merging a commit into the branch. */
  public sealed interface MergeResult {
    /** The branch has the commit already. */
    record Unchanged() implements MergeResult {}

    /** The branch has the commit now. Nobody has checked the new head. */
    record Merged() implements MergeResult {}

    /** Git cannot merge these files. */
    record Conflict(List<String> files) implements MergeResult {}

    /** A person has to do something first. */
    record Refused(String why) implements MergeResult {}
  }

  /**
   * Merges a commit into the branch, or moves the branch forward to it. Never rewrites the branch.
   *
   * @param other a commit that the repository has
   * @param head the newest commit of the branch that is known
   */
  public MergeResult merge(String other, String head) {
    repository.check();
    Git git = repository.git();
    if (!tip().equals(head)) {
      return new MergeResult.Refused("branch " + branch + " has moved meanwhile");
    }
    if (BaseBranch.isAncestor(git, other, head)) {
      return new MergeResult.Unchanged();
    }
    if (BaseBranch.isAncestor(git, head, other)) {
      moveBranch(head, other);
      return new MergeResult.Merged();
    }
    return switch (mergeBase(other, head)) {
      case LandResult.Landed _, LandResult.BaseMerged _ -> new MergeResult.Merged();
      case LandResult.Conflict(List<String> files) -> new MergeResult.Conflict(files);
      case LandResult.Refused(String why) -> new MergeResult.Refused(why);
    };
  }

  /** Moves the branch and its checkout to another commit. Open changes keep it from being done. */
  private void moveBranch(String head, String target) {
    GitDirectory worktree = new Checkout(folder).repository();
    try (ObjectView view = ObjectView.of(worktree)) {
      Git files = view.at(folder);
      files.must("read-tree", head);
      files.call("update-index", "-q", "--refresh");
      files.must("read-tree", "-m", "-u", head, target);
      repository.git().must("update-ref", "refs/heads/" + branch, target, head);
      Checkout.replaceIndex(worktree, view);
    }
  }

  private LandResult mergeBase(String current, String head) {
    Git git = repository.git();
    Git.Result merge = git.call("merge-tree", "--write-tree", "--name-only", head, current);
    if (merge.status() == 1) {
      List<String> files =
          merge.lines().stream().skip(1).takeWhile(line -> !line.isBlank()).distinct().toList();
      return new LandResult.Conflict(files);
    }
    if (!merge.ok()) {
      return new LandResult.Refused("git cannot merge " + base + ": " + Git.reason(merge));
    }
    String message = "Merge " + base + " into " + branch;
    String merged =
        git.must(
                "commit-tree",
                merge.lines().getFirst().strip(),
                "-p",
                head,
                "-p",
                current,
                "-m",
                message)
            .line();
    moveBranch(head, merged);
    return new LandResult.BaseMerged();
  }

  /** Removes the checkout. The branch and its commits stay. */
  public void release() {
    if (Files.isDirectory(folder)) {
      new Checkout(folder).remove(_ -> false);
    }
  }
}
