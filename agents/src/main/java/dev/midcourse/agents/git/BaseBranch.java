package dev.midcourse.agents.git;

import dev.midcourse.core.contract.BranchName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The branch into which loops land. It is only moved forward, and only from the commit that the
 * caller knows. All methods read the references again, so they may be repeated after a crash.
 */
public final class BaseBranch {
  private final Repository repository;
  private final BranchName base;

  public BaseBranch(Repository repository, BranchName base) {
    this.repository = repository;
    this.base = base;
  }

  /** A commit that is to be merged, and the name of its branch for the message. */
  public record Part(BranchName branch, String head) {}

  /** The result of a merge. No branch has changed. */
  public sealed interface MergeResult {
    /**
     * The first parts, so many as {@code count}, are merged onto this commit of the base. The
     * result is the base itself if it has them all.
     */
    record Merged(String base, String result, int count) implements MergeResult {}

    /** Git cannot merge the first part with the base because of these files. */
    record Conflict(List<String> files) implements MergeResult {}
  }

  /**
   * Merges the parts onto the newest commit of the base, one after the other, and ends before the
   * first one that conflicts with those before it.
   */
  public MergeResult merge(List<Part> parts) {
    repository.check();
    Git git = repository.git();
    String from = tip();
    String result = from;
    int count = 0;
    for (Part part : parts) {
      Optional<String> next = mergeOne(git, result, part);
      if (next.isEmpty()) {
        break;
      }
      result = next.get();
      count++;
    }
    return count == 0
        ? new MergeResult.Conflict(conflicts(git, from, parts.getFirst().head()))
        : new MergeResult.Merged(from, result, count);
  }

  /** Returns the merge of one part onto a commit; empty if they conflict. */
  private Optional<String> mergeOne(Git git, String onto, Part part) {
    if (isAncestor(git, part.head(), onto)) {
      return Optional.of(onto);
    }
    if (isAncestor(git, onto, part.head())) {
      return Optional.of(part.head());
    }
    Git.Result merge = git.call("merge-tree", "--write-tree", "--name-only", onto, part.head());
    if (merge.status() == 1) {
      return Optional.empty();
    }
    if (!merge.ok()) {
      throw Git.failed("git cannot merge " + part.branch() + ": " + Git.reason(merge)).refused();
    }
    String message = "Merge branch " + part.branch() + " into " + base;
    return Optional.of(
        git.must(
                "commit-tree",
                merge.lines().getFirst().strip(),
                "-p",
                onto,
                "-p",
                part.head(),
                "-m",
                message)
            .line());
  }

  private static List<String> conflicts(Git git, String onto, String head) {
    return git.call("merge-tree", "--write-tree", "--name-only", onto, head).lines().stream()
        .skip(1)
        .takeWhile(line -> !line.isBlank())
        .distinct()
        .toList();
  }

  /** Returns the newest commit of the base. */
  public String tip() {
    return repository
        .git()
        .must("rev-parse", "--verify", "refs/heads/" + base + "^{commit}")
        .line();
  }

  /** Returns whether the repository still has the commit. */
  public boolean hasCommit(String commit) {
    return repository.git().call("cat-file", "-e", commit + "^{commit}").ok();
  }

  /** The result of moving the base. */
  public sealed interface MoveResult {
    /** The base has the commit, from now on or from before. */
    record Moved() implements MoveResult {}

    /** The base is another commit than the caller knows. */
    record OtherBase() implements MoveResult {}

    /** A person has to do something first. */
    record Refused(String why) implements MoveResult {}
  }

  /** Moves the base forward, if it still is the commit {@code from}. */
  public MoveResult move(String from, String to) {
    repository.check();
    Git git = repository.git();
    String current = tip();
    if (current.equals(to)) {
      completeIndex(from, to);
      return new MoveResult.Moved();
    }
    if (isAncestor(git, to, current)) {
      return new MoveResult.Moved();
    }
    return current.equals(from) && isAncestor(git, from, to)
        ? advance(from, to)
        : new MoveResult.OtherBase();
  }

  private MoveResult advance(String from, String to) {
    Git git = repository.git();
    Optional<Path> holder = repository.checkoutOf(base);
    if (holder.isEmpty()) {
      git.must("update-ref", "refs/heads/" + base, to, from);
      return new MoveResult.Moved();
    }
    GitDirectory there = GitDirectory.of(holder.get()).orElseThrow();
    try (ObjectView view = ObjectView.of(there)) {
      Git files = view.at(holder.get());
      files.must("read-tree", from);
      files.call("update-index", "-q", "--refresh");
      boolean moved =
          isIndexOf(there, holder.get(), from)
              && (files.call("read-tree", "-m", "-u", from, to).ok() || hasFilesOf(files, to));
      if (!moved) {
        return new MoveResult.Refused(
            base
                + " is checked out at "
                + holder.get()
                + " with changes that are not committed; commit or stash them, then go on");
      }
      git.must("update-ref", "refs/heads/" + base, to, from);
      Checkout.replaceIndex(there, view);
      return new MoveResult.Moved();
    }
  }

  /** Whether the user has staged nothing. */
  private static boolean isIndexOf(GitDirectory there, Path folder, String commit) {
    Git ofUser = Git.of(there).at(folder, there.own().resolve("index"));
    return ofUser.call("diff-index", "--cached", "--quiet", commit).ok();
  }

  /** Whether a try that was cut off by a crash has written the files already. */
  private static boolean hasFilesOf(Git files, String commit) {
    files.must("read-tree", commit);
    files.call("update-index", "-q", "--refresh");
    return files.call("diff-files", "--quiet").ok();
  }

  /** Does the last part of a try that was cut off after it had moved the base. */
  private void completeIndex(String from, String to) {
    Optional<GitDirectory> there = repository.checkoutOf(base).flatMap(GitDirectory::of);
    if (there.isEmpty()) {
      return;
    }
    Path folder = repository.checkoutOf(base).orElseThrow();
    if (isIndexOf(there.get(), folder, from) && !isIndexOf(there.get(), folder, to)) {
      try (ObjectView view = ObjectView.of(there.get())) {
        if (hasFilesOf(view.at(folder), to)) {
          Checkout.replaceIndex(there.get(), view);
        }
      }
    }
  }

  /** Refuses a call that failed, because its answer would be taken for a change by a stranger. */
  static boolean isAncestor(Git git, String earlier, String later) {
    return isAncestor(git.call("merge-base", "--is-ancestor", earlier, later));
  }

  /** Reads the result of {@code git merge-base --is-ancestor}. */
  static boolean isAncestor(Git.Result result) {
    if (result.status() != 0 && result.status() != 1) {
      throw Git.failed("git merge-base failed: " + Git.reason(result)).refused();
    }
    return result.ok();
  }
}
