package dev.midcourse.core.run;

import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at a run by one agent process. It contains all that a later hub needs to find the
 * process again and to read its output from the right place.
 *
 * @param mark the token that every process of the attempt carries in its environment
 * @param offset the end of the agent output that has been processed
 * @param memo the state of the driver at that offset
 * @param resumes whether it continues the session of the previous attempt
 */
public record Attempt(
    RunId run,
    int number,
    HostName host,
    String mark,
    boolean resumes,
    Optional<String> version,
    Optional<Capabilities> can,
    long pid,
    long offset,
    String memo,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<String> endReason) {

  public static Attempt begun(
      RunId run, int number, HostName host, String mark, boolean resumes, Instant now) {
    return new Attempt(
        run,
        number,
        host,
        mark,
        resumes,
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        "",
        now,
        Optional.empty(),
        Optional.empty());
  }

  public Attempt started(String itsVersion, Capabilities itCan) {
    return new Attempt(
        run,
        number,
        host,
        mark,
        resumes,
        Optional.of(itsVersion),
        Optional.of(itCan),
        pid,
        offset,
        memo,
        startedAt,
        endedAt,
        endReason);
  }

  public Attempt withPid(long itsPid) {
    return new Attempt(
        run, number, host, mark, resumes, version, can, itsPid, offset, memo, startedAt, endedAt,
        endReason);
  }

  public Attempt withOutput(long newOffset, String newMemo) {
    return new Attempt(
        run, number, host, mark, resumes, version, can, pid, newOffset, newMemo, startedAt, endedAt,
        endReason);
  }

  public Attempt ended(Instant at, String reason) {
    return new Attempt(
        run,
        number,
        host,
        mark,
        resumes,
        version,
        can,
        pid,
        offset,
        memo,
        startedAt,
        Optional.of(at),
        Optional.of(reason));
  }
}
