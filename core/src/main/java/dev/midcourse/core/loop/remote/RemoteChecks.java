package dev.midcourse.core.loop.remote;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.RemoteCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the checks of a forge say about a commit. */
public final class RemoteChecks {
  private static final int MAX_ANNOTATIONS = 20;
  private static final int MAX_NAMES = 300;

  private RemoteChecks() {}

  /**
   * The verdict, as soon as there is one. No check at all is no success: after the time of grace it
   * is decided by the loop's own CI, or it is unavailable. Of two checks of one name the later one
   * counts.
   *
   * @param since since when checks are waited for
   * @param verifiedHere whether the loop's own CI was green for this commit
   */
  public static Optional<CiVerdict> verdict(
      List<RemoteCheck> reported,
      ForgeOrder order,
      String head,
      Instant since,
      Instant now,
      boolean verifiedHere) {
    List<RemoteCheck> checks = counted(reported, order);
    if (checks.stream().anyMatch(it -> !it.state().hasEnded())) {
      return Optional.empty();
    }
    List<RemoteCheck> failed = failed(reported, order);
    if (!failed.isEmpty()) {
      return Optional.of(new CiVerdict.Red(head, names(failed)));
    }
    List<RemoteCheck> unclear = checks.stream().filter(it -> !it.state().isGood()).toList();
    if (!unclear.isEmpty()) {
      return Optional.of(new CiVerdict.Unavailable(head, states(unclear)));
    }
    Optional<String> missing = missing(checks, order);
    if (missing.isEmpty()) {
      return Optional.of(new CiVerdict.Green(head));
    }
    if (now.isBefore(since.plus(order.ciGrace()))) {
      return Optional.empty();
    }
    boolean decidedHere = checks.isEmpty() && order.checks().isEmpty() && verifiedHere;
    return Optional.of(
        decidedHere ? new CiVerdict.Green(head) : new CiVerdict.Unavailable(head, missing.get()));
  }

  /** The findings of the checks that failed: one for each check. */
  public static List<ReportedFinding> findings(List<RemoteCheck> reported, ForgeOrder order) {
    return failed(reported, order).stream().map(RemoteChecks::finding).toList();
  }

  /** The checks that failed. */
  public static List<RemoteCheck> failed(List<RemoteCheck> reported, ForgeOrder order) {
    return counted(reported, order).stream().filter(RemoteChecks::isRed).toList();
  }

  private static boolean isRed(RemoteCheck check) {
    return check.state() == RemoteCheck.State.FAILURE
        || check.state() == RemoteCheck.State.TIMED_OUT;
  }

  private static List<RemoteCheck> counted(List<RemoteCheck> reported, ForgeOrder order) {
    Map<String, RemoteCheck> newest = new LinkedHashMap<>();
    reported.stream().filter(order::counts).forEach(it -> newest.put(it.name(), it));
    return List.copyOf(newest.values());
  }

  /** Why the good checks are not enough; empty if they are. */
  private static Optional<String> missing(List<RemoteCheck> checks, ForgeOrder order) {
    List<String> absent =
        order.checks().stream()
            .filter(name -> checks.stream().noneMatch(it -> it.name().equals(name)))
            .toList();
    if (!absent.isEmpty()) {
      return Optional.of("no CI reported: " + String.join(", ", absent));
    }
    return checks.isEmpty() ? Optional.of("no CI reported") : Optional.empty();
  }

  private static String names(List<RemoteCheck> checks) {
    return WireNames.cut(
        checks.stream().map(RemoteCheck::name).collect(Collectors.joining(", ")), MAX_NAMES);
  }

  private static String states(List<RemoteCheck> checks) {
    return WireNames.cut(
        checks.stream()
            .map(it -> it.name() + " is " + WireNames.name(it.state()).replace('_', ' '))
            .collect(Collectors.joining(", ")),
        MAX_NAMES);
  }

  private static ReportedFinding finding(RemoteCheck check) {
    List<String> lines = new ArrayList<>();
    if (!check.summary().isBlank()) {
      lines.add(check.summary().strip());
    }
    check.annotations().stream()
        .filter(it -> it.level() != RemoteCheck.Annotation.Level.NOTICE)
        .limit(MAX_ANNOTATIONS)
        .forEach(it ->
            lines.add(
                it.path().map(path -> path + ":" + it.line() + ": ").orElse("")
                    + it.title()
                    + " "
                    + it.text()));
    Optional<RemoteCheck.Annotation> first =
        check.annotations().stream()
            .filter(it -> it.level() == RemoteCheck.Annotation.Level.FAILURE)
            .findFirst();
    return ReportedFinding.of(
        first.flatMap(RemoteCheck.Annotation::path),
        first.map(RemoteCheck.Annotation::line).orElse(0),
        Severity.MAJOR,
        "Check failed: " + check.name(),
        String.join("\n", lines));
  }
}
