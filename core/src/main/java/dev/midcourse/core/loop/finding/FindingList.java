package dev.midcourse.core.loop.finding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** All findings of a loop, by id. Immutable. */
public record FindingList(List<Finding> all) {
  public static final FindingList EMPTY = new FindingList(List.of());

  public FindingList {
    all = List.copyOf(all);
  }

  public Optional<Finding> get(FindingId id) {
    return all.stream().filter(finding -> finding.id().equals(id)).findFirst();
  }

  /** The finding that a remark of this source has become. */
  public Optional<FindingId> find(String source, ReportedFinding report) {
    return all.stream()
        .filter(it -> it.source().equals(source) && it.matches(report))
        .map(Finding::id)
        .findFirst();
  }

  /** The findings that keep the loop from being clean. */
  public List<Finding> holding() {
    return select(Finding::holds);
  }

  /** The findings that the next fix gets: those that hold the loop, the failures of CI first. */
  public List<Finding> forFix() {
    List<Finding> given = new ArrayList<>(select(it -> it.holds() && it.isFromCi()));
    given.addAll(select(it -> it.holds() && !it.isFromCi()));
    return given;
  }

  private List<Finding> select(Predicate<Finding> condition) {
    return all.stream().filter(condition).toList();
  }

  /**
   * The list after a source has looked at the code: its remarks are new findings, or known ones
   * that are reported again. A known finding of the source that it did not report again is
   * confirmed as gone, if the source looked at the whole or was asked about it.
   *
   * @param wasLookedFor whether the source would have reported this finding again
   */
  public FindingList afterLook(
      String source, List<ReportedFinding> reports, int round, Predicate<Finding> wasLookedFor) {
    List<Finding> after = new ArrayList<>(all);
    Set<FindingId> seen = new HashSet<>();
    for (ReportedFinding report : reports) {
      Optional<Finding> known = known(after, source, report, seen);
      Finding next =
          known
              .map(it -> it.reportedAgain(report, round))
              .orElseGet(() -> Finding.reported(nextId(after), source, report, round));
      seen.add(next.id());
      put(after, next);
    }
    after.replaceAll(finding ->
        finding.source().equals(source)
                && !seen.contains(finding.id())
                && !finding.state().isSettled()
                && wasLookedFor.test(finding)
            ? finding.with(FindingState.CONFIRMED, finding.reason())
            : finding);
    return new FindingList(after);
  }

  /** A dropped finding stays dropped: what a person took out is matched, and not found anew. */
  private static Optional<Finding> known(
      List<Finding> among, String source, ReportedFinding report, Set<FindingId> seen) {
    Optional<Finding> named =
        report
            .known()
            .flatMap(id -> among.stream().filter(it -> it.id().equals(id)).findFirst())
            .filter(it -> it.source().equals(source) && !seen.contains(it.id()));
    return named.or(() ->
        among.stream()
            .filter(it -> it.source().equals(source) && !seen.contains(it.id()))
            .filter(it -> it.matches(report))
            .findFirst());
  }

  private static FindingId nextId(List<Finding> among) {
    return new FindingId(among.stream().mapToInt(it -> it.id().number()).max().orElse(0) + 1);
  }

  private static void put(List<Finding> among, Finding next) {
    for (int i = 0; i < among.size(); i++) {
      if (among.get(i).id().equals(next.id())) {
        among.set(i, among.get(i).state() == FindingState.DROPPED ? among.get(i) : next);
        return;
      }
    }
    among.add(next);
  }

  /** The findings of these that have no sound answer. */
  public static List<FindingId> unanswered(List<FindingId> given, List<FindingAnswer> answers) {
    return given.stream()
        .filter(id -> answers.stream().noneMatch(it -> it.finding().equals(id) && it.isSound()))
        .toList();
  }

  /** The list with the answers of a fixer to the findings that it was given. */
  public FindingList answered(List<FindingId> given, List<FindingAnswer> answers) {
    return map(finding ->
        given.contains(finding.id()) && !finding.state().isSettled()
            ? answers.stream()
                .filter(answer -> answer.finding().equals(finding.id()) && answer.isSound())
                .reduce((_, last) -> last)
                .map(answer -> finding.with(answer.kind().state(), answer.why()))
                .orElse(finding)
            : finding);
  }

  /** The list after a person has decided about one finding. */
  public FindingList decided(FindingId id, FindingDecision decision, String why) {
    return map(finding -> {
      if (!finding.id().equals(id)) {
        return finding;
      }
      return switch (decision) {
        case DROP -> finding.with(FindingState.DROPPED, why);
        case UPHOLD -> finding.upheldBecause(why);
        case NIT -> finding.withSeverity(Severity.NIT, why);
      };
    });
  }

  private FindingList map(UnaryOperator<Finding> change) {
    return new FindingList(all.stream().map(change).toList());
  }
}
