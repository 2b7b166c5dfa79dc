package dev.midcourse.core.loop.step;

import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;

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

  /** Removes the checkouts; the branch stays. */
  record Release() implements LoopAct {}
}
