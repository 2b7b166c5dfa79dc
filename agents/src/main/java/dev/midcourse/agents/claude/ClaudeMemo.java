package dev.midcourse.agents.claude;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.run.Usage;
import tools.jackson.databind.JsonNode;

/**
 * What has to be remembered of Claude Code's words to understand the next ones.
 *
 * @param started it has said who it is
 * @param named its session has been told
 * @param tells it tells of every message what becomes of it
 * @param working between the first word of a turn and its result
 * @param background how many of its tasks run behind its back
 * @param held a turn is done but for what runs in the background
 * @param opening the turn whose opening message it holds and has not begun; 0 for none
 * @param known whether {@code total} is known, which it is not in a resumed session at first
 * @param total what the session has used so far, by its last account
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
    Usage total) {

  static ClaudeMemo fresh(boolean resumed) {
    return new ClaudeMemo(false, false, false, false, 0, false, 0, !resumed, Usage.NOTHING);
  }

  static ClaudeMemo read(String memo) {
    JsonNode json = ProtocolJson.object(memo).orElseThrow();
    return new ClaudeMemo(
        json.path("started").asBoolean(),
        json.path("named").asBoolean(),
        json.path("tells").asBoolean(),
        json.path("working").asBoolean(),
        json.path("background").asInt(),
        json.path("held").asBoolean(),
        json.path("opening").asInt(),
        json.path("known").asBoolean(),
        new Usage(
            json.path("input_tokens").asLong(),
            json.path("output_tokens").asLong(),
            json.path("micro_dollars").asLong()));
  }

  String write() {
    return ProtocolJson.object()
        .put("started", started)
        .put("named", named)
        .put("tells", tells)
        .put("working", working)
        .put("background", background)
        .put("held", held)
        .put("opening", opening)
        .put("known", known)
        .put("input_tokens", total.inputTokens())
        .put("output_tokens", total.outputTokens())
        .put("micro_dollars", total.microDollars())
        .toString();
  }

  ClaudeMemo isStarted(boolean itTells) {
    return new ClaudeMemo(true, named, itTells, working, background, held, opening, known, total);
  }

  ClaudeMemo isNamed() {
    return new ClaudeMemo(started, true, tells, working, background, held, opening, known, total);
  }

  ClaudeMemo nowTells() {
    return new ClaudeMemo(started, named, true, working, background, held, opening, known, total);
  }

  ClaudeMemo isWorking() {
    return new ClaudeMemo(started, named, tells, true, background, false, opening, known, total);
  }

  /** The turn's last word was heard; {@code forBackground} when it goes on behind its back. */
  ClaudeMemo isIdle(boolean forBackground) {
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
