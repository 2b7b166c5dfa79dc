package dev.midcourse.hub.chat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.engine.conversation.context.ConversationWorkers;
import dev.midcourse.engine.conversation.context.WorkerPlan;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import dev.midcourse.hub.settings.worker.WorkerRegistry;
import dev.midcourse.ledger.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The workers of the settings, and those that were made from the template: a wiring names them, so
 * they need no list of their own. Without a declared worker there is the one that every run has.
 */
public final class SettingsWorkers implements ConversationWorkers {
  private final WorkerRegistry workers;
  private final Optional<NamePattern> template;
  private final Function<WorkerName, AgentName> agents;
  private final Ledger ledger;

  /**
   * @param agents selects the agent of a worker; refuses if it is not installed
   */
  public SettingsWorkers(
      WorkerRegistry workers,
      Optional<NamePattern> template,
      Function<WorkerName, AgentName> agents,
      Ledger ledger) {
    this.workers = workers;
    this.template = template;
    this.agents = agents;
    this.ledger = ledger;
  }

  @Override
  public List<WorkerName> wireable() {
    if (workers.workers().isEmpty()) {
      return List.of(EngineSettings.ANY_WORKER);
    }
    Stream<WorkerName> declared =
        workers.workers().stream()
            .map(WorkerConfig::name)
            .filter(name -> !name.many())
            .map(name -> WorkerName.of(name.text()));
    return Stream.concat(declared, made()).distinct().toList();
  }

  private Stream<WorkerName> made() {
    return template.isEmpty()
        ? Stream.empty()
        : ledger.read(r -> r.chats().wirings()).stream()
            .map(Wiring::worker)
            .filter(worker -> template.get().matches(worker.value()));
  }

  @Override
  public Optional<WorkerPlan> plan(WorkerName worker) {
    Optional<WorkerConfig> config = workers.plan(worker);
    if (config.isEmpty() && !worker.equals(EngineSettings.ANY_WORKER)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new WorkerPlan(
              worker,
              agents.apply(worker),
              config.flatMap(WorkerConfig::chatFolder),
              config.map(WorkerConfig::pending).orElse(PendingPolicy.ALL),
              config.map(WorkerConfig::attempts).orElse(RunSpec.DEFAULT_ATTEMPTS)));
    } catch (RefusedException notInstalled) {
      return Optional.empty();
    }
  }

  @Override
  public boolean hasTemplate() {
    return template.isPresent();
  }

  @Override
  public WorkerName fromTemplate(String name) {
    NamePattern pattern =
        template.orElseThrow(() ->
            Problem.invalid(
                    "worker",
                    "a template: new_workers in [chat] of midcourse.toml",
                    "the settings have no template for new workers")
                .refused());
    WorkerName made =
        pattern.matches(name)
            ? WorkerName.of(name)
            : WorkerName.of(pattern.text().replace("*", name));
    if (workers.workers().stream().anyMatch(it -> it.name().text().equals(made.value()))
        || wireable().contains(made)) {
      throw Problem.invalid("worker", "a new name", "worker " + made + " exists already").refused();
    }
    return made;
  }
}
