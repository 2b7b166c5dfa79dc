package dev.midcourse.core.run;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** The reason why a person should look at a run. */
public sealed interface Need {

  /** How long after its end a failed run is listed among those that need attention. */
  Duration FAILURE_ATTENTION = Duration.ofDays(1);

  /** The agent waits for an answer. */
  record Answer(AskKind kind) implements Need {}

  /** The work waits for its review. */
  record Review() implements Need {}

  /** The agent has shown no activity for some time. */
  record Quiet() implements Need {}

  /** The run ended with a completion that does not hold. */
  record FailedContract() implements Need {}

  /** The run reached its time limit. */
  record TimedOut() implements Need {}

  /** The run failed. */
  record Failed() implements Need {}

  /** A need that a newer version wrote. */
  record Unknown(String text) implements Need {}

  /** The need of a run that has come to this state, if any. */
  static Optional<Need> of(RunState state) {
    return switch (state) {
      case REVIEW_REQUESTED -> Optional.of(new Review());
      case FAILED_CONTRACT -> Optional.of(new FailedContract());
      case FAILED -> Optional.of(new Failed());
      case FAILED_TIMEOUT -> Optional.of(new TimedOut());
      case DONE, STOPPED, QUEUED, RUNNING -> Optional.empty();
    };
  }

  /** The text under which the need is stored and shown; {@link #parse} reads it. */
  default String text() {
    return switch (this) {
      case Answer(AskKind kind) -> "asks " + WireNames.name(kind);
      case Review() -> "review";
      case Quiet() -> "quiet";
      case FailedContract() -> "failed contract";
      case TimedOut() -> "timed out";
      case Failed() -> "failed";
      case Unknown(String text) -> text;
    };
  }

  /** The need of this text. A text of a newer version is an {@link Unknown} need. */
  static Need parse(String text) {
    Stream<Need> answers = Arrays.stream(AskKind.values()).map(Answer::new);
    Stream<Need> others =
        Stream.of(new Review(), new Quiet(), new FailedContract(), new TimedOut(), new Failed());
    return Stream.concat(answers, others)
        .filter(need -> need.text().equals(text))
        .findFirst()
        .orElseGet(() -> new Unknown(text));
  }

  /** The order in which a person should look at runs: the lowest number comes first. */
  default int rank() {
    return switch (this) {
      case Answer _ -> 0;
      case Review _ -> 1;
      case Quiet _ -> 2;
      case FailedContract _ -> 3;
      case TimedOut _ -> 4;
      case Failed _ -> 5;
      case Unknown _ -> 6;
    };
  }
}
