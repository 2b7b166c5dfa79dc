package dev.midcourse.core.chat.autopilot;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.finding.FindingDecision;
import dev.midcourse.core.loop.finding.FindingId;

/** What a person in a chat asks of autopilot loops. */
public sealed interface ChatLoopOrder {

  /** An order about one loop. */
  sealed interface AboutLoop extends ChatLoopOrder {
    LoopId loop();
  }

  /**
   * Starts a loop in the folder of the worker.
   *
   * @param byPerson whether a person reviews; otherwise the agent of the worker does
   */
  record Start(String task, boolean byPerson) implements ChatLoopOrder {}

  /** Which loops there are. */
  record Status() implements ChatLoopOrder {}

  record Show(LoopId loop) implements AboutLoop {}

  record Findings(LoopId loop) implements AboutLoop {}

  record Steer(LoopId loop, GuidanceScope scope, String text) implements AboutLoop {}

  record Decide(LoopId loop, FindingId finding, FindingDecision decision, String why)
      implements AboutLoop {}

  record Go(LoopId loop, int moreFixes) implements AboutLoop {}

  record Skip(LoopId loop) implements AboutLoop {}

  record Pause(LoopId loop) implements AboutLoop {}

  record Stop(LoopId loop) implements AboutLoop {}

  record Land(LoopId loop) implements AboutLoop {}

  /** The person finds the commit that waits clean. */
  record Approve(LoopId loop) implements AboutLoop {}

  /** The review of a person, one finding a line. */
  record Reject(LoopId loop, String findings) implements AboutLoop {}

  /** The order cannot be carried out; the text says how it is written. */
  record Answer(String text) implements ChatLoopOrder {}
}
