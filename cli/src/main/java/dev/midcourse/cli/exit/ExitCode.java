package dev.midcourse.cli.exit;

import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.SteerEnd;
import java.util.Optional;

/** The exit codes of commands. Scripts rely on these numbers: they never change. */
public enum ExitCode {
  DONE(0, "success; run: the run is done; steer and receipt: the rung was reached"),
  FAILED(1, "any other error"),
  USAGE(2, "usage error: an unknown command or option, or a missing argument"),
  NO_HUB(3, "no hub is running, or it could not be started"),
  NOT_FOUND(4, "no run or steer has this id"),
  REFUSED(5, "rejected by the hub, nothing changed; the message names field and rule"),
  TIME_OVER(6, "--timeout expired"),
  RUN_FAILED(10, "the run failed"),
  RUN_FAILED_CONTRACT(11, "the run failed: its completion is invalid"),
  RUN_FAILED_TIMEOUT(12, "the run exceeded its time limit"),
  RUN_STOPPED(13, "the run was stopped"),
  RUN_NEEDS_REVIEW(14, "the run waits for review"),
  LOOP_PARKED(15, "the autopilot loop is parked: it waits for your decision"),
  STEER_REFUSED(20, "the agent refused the steer"),
  STEER_EXPIRED(21, "the steer expired, or its run ended, before delivery"),
  STEER_UNKNOWN(22, "unknown whether the agent got the steer: it died, or never showed it"),
  STEER_WITHDRAWN(23, "the steer was withdrawn"),
  STEER_SUPERSEDED(24, "a newer steer replaced this one"),
  STEER_CARRIED(25, "the steer was moved to the run that its receipt names"),
  INTERRUPTED(130, "interrupted by Ctrl-C; started runs keep running");

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

  /** Returns the exit code for a run in this state. A live run is no failure. */
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

  /** Returns the exit code for a steer that ended before the requested rung. */
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

  /** Returns the constant with this API name; empty if there is none. */
  public static <E extends Enum<E>> Optional<E> named(E[] constants, String name) {
    for (E constant : constants) {
      if (constant.name().equalsIgnoreCase(name)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }
}
