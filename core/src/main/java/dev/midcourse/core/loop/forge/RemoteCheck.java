package dev.midcourse.core.loop.forge;

import java.util.List;
import java.util.Optional;

/**
 * A check of CI, or a commit status, about the head of a snapshot.
 *
 * @param id what {@link ForgeAct.RerunFailed} needs to find it; may be blank
 * @param summary what it says about its result; may be empty
 * @param url its page; may be blank
 */
public record RemoteCheck(
    String id, String name, State state, String summary, String url, List<Annotation> annotations) {
  public RemoteCheck {
    annotations = List.copyOf(annotations);
  }

  public RemoteCheck withSummary(String text) {
    return new RemoteCheck(id, name, state, text, url, annotations);
  }

  /** How far a check is. Only a success, a neutral and a skipped one are good. */
  public enum State {
    WAITING,
    RUNNING,
    SUCCESS,
    NEUTRAL,
    SKIPPED,
    FAILURE,
    CANCELLED,
    TIMED_OUT,
    ACTION_REQUIRED,
    /** A state that this version does not know; it is never good. */
    UNKNOWN;

    public boolean hasEnded() {
      return this != WAITING && this != RUNNING;
    }

    public boolean isGood() {
      return this == SUCCESS || this == NEUTRAL || this == SKIPPED;
    }
  }

  /** A remark of a check about a line. */
  public record Annotation(
      Optional<String> path, int line, Level level, String title, String text) {

    /** How much it matters. */
    public enum Level {
      NOTICE,
      WARNING,
      FAILURE
    }
  }
}
