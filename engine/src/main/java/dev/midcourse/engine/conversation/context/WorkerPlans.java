package dev.midcourse.engine.conversation.context;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.id.WorkerName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers that one message may concern. Those of its chat are asked for before its transaction;
 * all to which a chat can be wired only if its chat has no wiring, because a template can make as
 * many workers as there are chats. A worker that is needed against expectation is asked for in the
 * transaction, for example when the last wiring was just deleted.
 *
 * <p>For one thread at a time.
 */
public final class WorkerPlans {
  private final ConversationWorkers workers;
  private final Map<WorkerName, WorkerPlan> plans = new HashMap<>();
  private Optional<List<WorkerName>> wireable = Optional.empty();

  private WorkerPlans(ConversationWorkers workers) {
    this.workers = workers;
  }

  public static WorkerPlans of(ConversationWorkers workers, List<Wiring> wirings) {
    return of(workers, wirings, Optional.empty());
  }

  /** The same with one more worker, which is about to be made. */
  public static WorkerPlans of(
      ConversationWorkers workers, List<Wiring> wirings, Optional<WorkerName> made) {
    WorkerPlans all = new WorkerPlans(workers);
    wirings.forEach(wiring -> all.add(wiring.worker()));
    made.ifPresent(all::add);
    if (wirings.isEmpty() && made.isEmpty()) {
      all.wireable().forEach(all::add);
    }
    return all;
  }

  /** The workers to which a chat can be wired. */
  public List<WorkerName> wireable() {
    if (wireable.isEmpty()) {
      wireable = Optional.of(workers.wireable());
    }
    return wireable.get();
  }

  /** Whether a new worker can be made from the template of the settings. */
  public boolean hasTemplate() {
    return workers.hasTemplate();
  }

  /**
   * The plan of the worker. Refuses a worker that the settings do not declare any more, and one
   * that a template could make but nobody has made.
   */
  public WorkerPlan require(WorkerName worker) {
    if (!plans.containsKey(worker) && wireable().contains(worker)) {
      add(worker);
    }
    return Optional.ofNullable(plans.get(worker))
        .orElseThrow(() ->
            Problem.of(
                    Code.NOT_FOUND,
                    "worker",
                    "a worker of midcourse.toml",
                    "no worker " + worker + " is declared, or its agent is not installed")
                .refused());
  }

  private void add(WorkerName worker) {
    workers.plan(worker).ifPresent(plan -> plans.put(worker, plan));
  }
}
