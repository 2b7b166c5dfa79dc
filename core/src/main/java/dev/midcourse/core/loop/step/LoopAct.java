package dev.midcourse.core.loop.step;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.forge.ForgeAct;

/**
 * What is to be done after a step. Each act can be repeated: its second try finds what the first
 * one has done.
 */
public sealed interface LoopAct {

  /** Makes branch and checkout. */
  record Prepare() implements LoopAct {}

  /** Starts the run of a call, with the steers of the guidance that the call has taken. */
  record StartCall(int call) implements LoopAct {}

  /** Gives guidance to a run that works. */
  record GiveNow(SteerId guidance, int call, SteerId steer) implements LoopAct {}

  /** Ends a run of the loop. */
  record EndRun(RunId run) implements LoopAct {}

  /** Merges this commit into the base, after the loops that wait for the same. */
  record Merge(String head) implements LoopAct {}

  /** Pushes this commit to the branch at the forge, without overwriting anything there. */
  record Push(String head) implements LoopAct {}

  /**
   * Puts an act into the outbox of the forge.
   *
   * @param key what makes it the same act
   */
  record Write(String key, ForgeAct act) implements LoopAct {}

  /** Looks at the change at the forge, without waiting for the next time. */
  record Look() implements LoopAct {}

  /** Merges the base, as the forge has it, into the branch. */
  record Sync() implements LoopAct {}

  /** Takes over what somebody else has pushed to the branch. */
  record TakeRemote() implements LoopAct {}

  /** Removes the checkouts; the branch stays. */
  record Release() implements LoopAct {}
}
