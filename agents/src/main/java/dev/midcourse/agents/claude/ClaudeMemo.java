package dev.midcourse.agents.claude;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.midcourse.agents.stdio.MemoJson;
import dev.midcourse.core.agent.Usage;

/**
 * The state of a conversation with Claude Code, as far as its next lines depend on it.
 *
 * @param started Claude Code has reported its version
 * @param named the session id was reported
 * @param tells this version reports the state of every message
 * @param working a turn runs: its first line was read and its result was not
 * @param background the number of tasks that run in the background
 * @param held the turn waits only for its background tasks
 * @param opening the turn whose opening message is queued and has not begun; 0 for none
 * @param known whether {@code total} is known; in a resumed session it is not known at first
 * @param total the usage of the whole session, by its last report
 */
record ClaudeMemo(
    boolean started,
    boolean named,
    boolean tells,
    boolean working,
    int background,
    boolean held,
    int opening,
    boolean known,
    @JsonUnwrapped Usage total) {

  static ClaudeMemo fresh(boolean resumed) {
    return new ClaudeMemo(false, false, false, false, 0, false, 0, !resumed, Usage.NOTHING);
  }

  static ClaudeMemo read(String memo) {
    return MemoJson.read(memo, ClaudeMemo.class);
  }

  String write() {
    return MemoJson.write(this);
  }

  ClaudeMemo asStarted(boolean tellsOfMessages) {
    return new ClaudeMemo(
        true, named, tellsOfMessages, working, background, held, opening, known, total);
  }

  ClaudeMemo asNamed() {
    return new ClaudeMemo(started, true, tells, working, background, held, opening, known, total);
  }

  ClaudeMemo withLifecycleReports() {
    return new ClaudeMemo(started, named, true, working, background, held, opening, known, total);
  }

  ClaudeMemo asWorking() {
    return new ClaudeMemo(started, named, tells, true, background, false, opening, known, total);
  }

  /** The result of the turn was read; {@code forBackground} if background tasks continue it. */
  ClaudeMemo asIdle(boolean forBackground) {
    return new ClaudeMemo(
        started, named, tells, false, background, forBackground, opening, known, total);
  }

  ClaudeMemo withBackground(int tasks) {
    return new ClaudeMemo(started, named, tells, working, tasks, held, opening, known, total);
  }

  ClaudeMemo withOpening(int turn) {
    return new ClaudeMemo(started, named, tells, working, background, held, turn, known, total);
  }

  ClaudeMemo withTotal(Usage now) {
    return new ClaudeMemo(started, named, tells, working, background, held, opening, true, now);
  }
}
