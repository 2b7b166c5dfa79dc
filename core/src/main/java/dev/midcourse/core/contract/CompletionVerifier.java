package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares a completion with the real state of the checkout. */
public final class CompletionVerifier {
  private static final int MAX_NAMED = 10;

  private CompletionVerifier() {}

  /** Returns every statement of the completion that the checkout contradicts. */
  public static List<Problem> objections(Completion said, CheckoutState found) {
    List<Problem> problems = new ArrayList<>();
    if (!found.branch().filter(said.branch().value()::equals).isPresent()) {
      problems.add(
          Problem.invalid(
              "branch",
              "checked out in the workspace",
              "the workspace is on "
                  + found.branch().map(WireNames::shown).orElse("no branch")
                  + ", not on "
                  + said.branch()));
    }
    if (said.commitSha().isPresent()) {
      commit(said, found, problems);
    }
    if (!found.clean()) {
      problems.add(
          Problem.invalid(
              "workspace", "everything committed", "the workspace has uncommitted changes"));
    }
    return problems;
  }

  private static void commit(Completion said, CheckoutState found, List<Problem> problems) {
    String sha = said.commitSha().orElseThrow();
    if (found.commit().isEmpty()) {
      problems.add(
          Problem.invalid("commit_sha", "a commit that exists", "there is no commit " + sha));
      return;
    }
    if (!found.last()) {
      problems.add(
          Problem.invalid(
              "commit_sha",
              "the branch's last commit",
              "commit " + sha + " is not the last on " + said.branch()));
      return;
    }
    if (!found.fromStart()) {
      problems.add(
          Problem.invalid(
              "commit_sha",
              "a branch that contains the commit at which the run began",
              said.branch() + " no longer has the commit at which the run began"));
      return;
    }
    Set<String> missing = new TreeSet<>(found.changed());
    said.filesChanged().forEach(missing::remove);
    Set<String> invented = new TreeSet<>(said.filesChanged());
    found.changed().forEach(invented::remove);
    if (!missing.isEmpty()) {
      problems.add(files("changed but not listed: ", missing));
    }
    if (!invented.isEmpty()) {
      problems.add(files("listed but not changed: ", invented));
    }
  }

  private static Problem files(String what, Set<String> names) {
    String some = String.join(", ", names.stream().limit(MAX_NAMED).map(WireNames::shown).toList());
    String more = names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "";
    return Problem.invalid(
        "files_changed", "the files that the branch's commits changed", what + some + more);
  }
}
