package dev.midcourse.core.loop.forge;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.id.LoopId;
import java.time.Instant;

/**
 * An act in the outbox of forges. It is stored with the step that orders it, and only then
 * performed; an act whose result is not known is looked up at the forge before it is tried again.
 *
 * @param key what makes the act the same act: unique in its loop
 * @param number orders the acts of a loop
 * @param result what the forge said: the id of what was made, or why not
 */
public record ForgeWrite(
    LoopId loop, String key, int number, ForgeAct act, State state, String result, Instant at) {

  /** How far an act is. */
  public enum State {
    /** It is to be done. */
    PENDING,
    /** It was begun, and its result is not known. */
    SENT,
    DONE,
    /** The forge did not do it, and will not. */
    REFUSED;

    public boolean isOpen() {
      return this == PENDING || this == SENT;
    }

    public String wire() {
      return WireNames.name(this);
    }

    public static State parse(String text) {
      return WireNames.parse(State.class, "state", text);
    }
  }

  public ForgeWrite with(State next, String what, Instant now) {
    return new ForgeWrite(loop, key, number, act, next, what, now);
  }
}
