package dev.midcourse.cli.exit;

import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.SteerEnd;
import java.util.Optional;

/** What a command's exit code means. Scripts rely on these numbers: they never change. */
public enum ExitCode {
  DONE(0, "done; of run: the run is done; of steer and receipt: the rung was reached"),
  FAILED(1, "something went wrong that has no number of its own"),
  USAGE(2, "wrong use: an unknown command or option, something missing"),
  NO_HUB(3, "no hub answers, or it could not be started"),
  NOT_FOUND(4, "no run or steer has this id"),
  REFUSED(5, "the hub refused it and changed nothing; the message names field and rule"),
  TIME_OVER(6, "the time given with --timeout was over first"),
  RUN_FAILED(10, "the run failed"),
  RUN_FAILED_CONTRACT(11, "the run failed its contract"),
  RUN_FAILED_TIMEOUT(12, "the run took too long"),
  RUN_STOPPED(13, "the run was stopped"),
  RUN_NEEDS_REVIEW(14, "the run waits for a review"),
  STEER_REFUSED(20, "the agent refused the steer"),
  STEER_EXPIRED(21, "the steer expired, or its run ended, before it could be delivered"),
  STEER_UNKNOWN(
      22, "nobody knows what became of the steer: its agent died with it or never showed it"),
  STEER_WITHDRAWN(23, "the steer was withdrawn"),
  STEER_SUPERSEDED(24, "a newer steer replaced this one"),
  STEER_CARRIED(25, "the steer was handed over to the run that its receipt names"),
  INTERRUPTED(130, "ended by Ctrl-C; what was started goes on");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  public String meaning() {
    return meaning;
  }

  /** For a run in this state; a live one is no failure. */
  public static ExitCode of(RunState state) {
    return switch (state) {
      case QUEUED, RUNNING, DONE -> DONE;
      case REVIEW_REQUESTED -> RUN_NEEDS_REVIEW;
      case FAILED -> RUN_FAILED;
      case FAILED_CONTRACT -> RUN_FAILED_CONTRACT;
      case FAILED_TIMEOUT -> RUN_FAILED_TIMEOUT;
      case STOPPED -> RUN_STOPPED;
    };
  }

  /** For a steer that ended before the rung that was asked for. */
  public static ExitCode of(SteerEnd end) {
    return switch (end) {
      case ANSWERED -> DONE;
      case CARRIED -> STEER_CARRIED;
      case WITHDRAWN -> STEER_WITHDRAWN;
      case SUPERSEDED -> STEER_SUPERSEDED;
      case EXPIRED -> STEER_EXPIRED;
      case REFUSED -> STEER_REFUSED;
      case UNKNOWN -> STEER_UNKNOWN;
    };
  }

  /** The constant whose name outside is this; nothing if there is none. */
  public static <E extends Enum<E>> Optional<E> named(E[] constants, String name) {
    for (E constant : constants) {
      if (constant.name().equalsIgnoreCase(name)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }
}
