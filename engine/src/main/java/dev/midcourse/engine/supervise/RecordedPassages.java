package dev.midcourse.engine.supervise;

import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerFrame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The passages that the session record of a dead agent has. An agent can die after it has taken a
 * message into its conversation and before it reports that. Without the record, the message would
 * be sent twice or be called delivered by a guess.
 *
 * @param found the passages that the record has; empty when the record cannot be read
 * @param opening the beginning of the message that opened the last turn
 */
record RecordedPassages(Optional<Set<String>> found, Optional<String> opening) {
  private static final int OPENING_LENGTH = 200;

  /** Reads the record from which the agent would resume the conversation of a session. */
  @FunctionalInterface
  interface SessionRecord {
    /** Which of these passages the record has; empty when the record cannot be read. */
    Optional<Set<String>> find(SessionId session, Set<String> passages);
  }

  /**
   * Searches the record for the steers in transit and the opening message. Does not read the record
   * when there is nothing to search for, because it can be long.
   */
  static RecordedPassages of(
      Run run, Optional<TurnRecord> turn, List<Steer> inTransit, SessionRecord sessionRecord) {
    Optional<String> opening =
        turn.filter(record -> record.endedAt().isEmpty())
            .filter(record -> record.purpose() == TurnPurpose.TASK)
            .map(record -> beginning(record.message()));
    Set<String> passages =
        Stream.concat(inTransit.stream().map(s -> SteerFrame.head(s.id())), opening.stream())
            .collect(Collectors.toSet());
    Optional<Set<String>> found =
        passages.isEmpty()
            ? Optional.of(Set.of())
            : run.session().flatMap(session -> sessionRecord.find(session, passages));
    return new RecordedPassages(found, opening);
  }

  boolean isReadable() {
    return found.isPresent();
  }

  boolean has(SteerId steer) {
    return found.filter(passages -> passages.contains(SteerFrame.head(steer))).isPresent();
  }

  /** Whether the conversation lacks the task that opened the last turn. */
  boolean lacksTask(boolean taken) {
    return opening.isPresent() && found.map(it -> !it.contains(opening.get())).orElse(!taken);
  }

  private static String beginning(String message) {
    String text = message.strip();
    return text.substring(0, Math.min(text.length(), OPENING_LENGTH));
  }
}
