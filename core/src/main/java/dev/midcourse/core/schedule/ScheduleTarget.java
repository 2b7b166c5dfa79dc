package dev.midcourse.core.schedule;

import dev.midcourse.core.chat.ConversationId;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import java.util.Optional;

/** The addressee of a schedule's prompt. */
public sealed interface ScheduleTarget {

  /** The worker whose agent gets the prompt. */
  WorkerName worker();

  /**
   * A new run of a worker.
   *
   * @param agent empty for the agent of the worker
   * @param dir empty for a folder of the run's own
   */
  record OfWorker(WorkerName worker, Optional<AgentName> agent, Optional<String> dir)
      implements ScheduleTarget {}

  /** A conversation; the prompt enters it like a message. */
  record OfConversation(ConversationId conversation, WorkerName worker) implements ScheduleTarget {}
}
