package dev.midcourse.hub.api;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Resolves the name of a run or steer in a request: a whole id, an unambiguous beginning of one, or
 * {@code -} for the only live run.
 */
record IdResolver(Ledger ledger) {
  private static final String THE_ONLY_ONE = "-";
  private static final int MIN_STEER_PREFIX = 4;
  private static final int MAX_NAMED = 8;

  Run run(String text) {
    return text.equals(THE_ONLY_ONE) ? singleLiveRun() : runBeginningWith(text);
  }

  private Run runBeginningWith(String text) {
    RunId id = RunId.of(text);
    return ledger.read(reading ->
        reading
            .run(id)
            .orElseGet(() ->
                single(
                    reading.runsStartingWith(text, MAX_NAMED + 1),
                    "run_id",
                    "run " + text + " not found",
                    "several runs start with " + text,
                    run -> run.id().value())));
  }

  private Run singleLiveRun() {
    return single(
        ledger.read(reading -> reading.liveRuns()),
        "run_id",
        "there is no live run",
        "several runs are live",
        run -> run.id().value());
  }

  Steer steer(String text) {
    return whole(text)
        .flatMap(id -> ledger.read(reading -> reading.steer(id)))
        .orElseGet(() -> steerBeginningWith(text));
  }

  private Steer steerBeginningWith(String text) {
    boolean sound = text.matches("[0-9a-f-]+") && text.length() >= MIN_STEER_PREFIX;
    if (!sound) {
      throw Problem.invalid(
              "steer_id",
              "a steer's id, or its first 4 or more characters",
              WireNames.shown(text) + " is not a steer's id")
          .refused();
    }
    return single(
        ledger.read(reading -> reading.steersStartingWith(text, MAX_NAMED + 1)),
        "steer_id",
        "steer " + text + " not found",
        "several steers start with " + text,
        steer -> steer.id().value());
  }

  private static Optional<SteerId> whole(String text) {
    try {
      return Optional.of(SteerId.of(text));
    } catch (RefusedException onlyTheBeginning) {
      return Optional.empty();
    }
  }

  private static <T> T single(
      List<T> found, String field, String none, String several, Function<T, String> name) {
    if (found.size() == 1) {
      return found.getFirst();
    }
    if (found.isEmpty()) {
      throw Problem.of(Code.NOT_FOUND, field, "an existing id", none).refused();
    }
    String names = found.stream().limit(MAX_NAMED).map(name).collect(Collectors.joining(", "));
    throw Problem.invalid(
            field,
            "the full id, or a longer start of it",
            several + ": " + names + (found.size() > MAX_NAMED ? " and more" : ""))
        .refused();
  }
}
