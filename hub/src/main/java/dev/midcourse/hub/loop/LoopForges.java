package dev.midcourse.hub.loop;

import dev.midcourse.agents.git.Repository;
import dev.midcourse.autopilot.ForgePlanner.ForgePlan;
import dev.midcourse.autopilot.ForgePlanner.ForgeRequest;
import dev.midcourse.autopilot.LoopService;
import dev.midcourse.autopilot.catalogue.ForgeHooks;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.autopilot.forge.RemoteAddress;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.hub.loop.LoopViews.ForgeState;
import dev.midcourse.hub.loop.LoopViews.Forges;
import dev.midcourse.hub.loop.LoopViews.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The forges of loops, as the interfaces of the hub see them. */
final class LoopForges {
  private final LoopService service;

  LoopForges(LoopService service) {
    this.service = service;
  }

  /** Proves the credentials and finds the change, if one is named. */
  ForgePlan plan(
      Path clone, ForgeRequest request, Optional<BranchName> branch, Optional<BranchName> base)
      throws InterruptedException {
    return service.planner().plan(clone, request, branch, base);
  }

  static Plan view(ForgePlan plan) {
    return new Plan(
        plan.order().name(),
        plan.order().project(),
        plan.login(),
        plan.order().adopt(),
        plan.branch().map(BranchName::value),
        plan.base().map(BranchName::value));
  }

  /** Lists the forges; signs in at each of them if a clone says for which project. */
  Forges list(Optional<Path> clone) throws InterruptedException {
    List<ForgeState> states = new ArrayList<>();
    for (ForgeSettings settings : service.forges().all()) {
      states.add(state(settings, clone));
    }
    return new Forges(states);
  }

  private ForgeState state(ForgeSettings settings, Optional<Path> clone)
      throws InterruptedException {
    Optional<String> login = Optional.empty();
    Optional<String> problem = Optional.empty();
    if (clone.isPresent()) {
      try {
        String project =
            Repository.at(clone.get())
                .origin()
                .map(it -> RemoteAddress.of(it).project())
                .orElse("");
        login = Optional.of(service.forges().open(settings.name(), project).signIn());
      } catch (ForgeException e) {
        problem = Optional.of(e.error().message());
      } catch (RefusedException e) {
        problem = Optional.of(e.problem().message());
      } catch (IllegalArgumentException e) {
        problem = Optional.of(String.valueOf(e.getMessage()));
      }
    }
    return new ForgeState(
        settings.name(), settings.kind().wire(), settings.api().toString(), login, problem);
  }

  boolean wake(String name, Map<String, String> headers, String body) {
    Optional<ForgeSettings> settings = service.forges().named(name);
    Optional<ForgeHooks.Event> event = settings.flatMap(it -> ForgeHooks.read(it, headers, body));
    event.ifPresent(it -> service.wake(name, it.project()));
    return event.isPresent();
  }
}
