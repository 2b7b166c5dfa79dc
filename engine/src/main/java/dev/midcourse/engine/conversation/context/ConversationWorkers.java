package dev.midcourse.engine.conversation.context;

import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;

/**
 * The workers to which chats can be wired. Every call asks the settings and the agents of now; a
 * call may take time, so it is made before a transaction and not in it.
 */
public interface ConversationWorkers {
  /** The workers that are offered when a chat asks for one. */
  List<WorkerName> wireable();

  /** How runs of the worker are started; empty if no worker of this name is declared. */
  Optional<WorkerPlan> plan(WorkerName worker);

  /** Whether the settings have a template for new workers. */
  boolean hasTemplate();

  /**
   * The worker of this name that the template makes.
   *
   * @throws dev.midcourse.core.RefusedException if there is no template, or the name is not valid
   */
  WorkerName fromTemplate(String name);
}
