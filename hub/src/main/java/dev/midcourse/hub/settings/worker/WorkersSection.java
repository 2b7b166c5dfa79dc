package dev.midcourse.hub.settings.worker;

import dev.midcourse.core.Problem;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.authority.Groups;
import dev.midcourse.core.authority.NamePattern;
import dev.midcourse.core.authority.Role;
import dev.midcourse.core.contract.DispatchRules;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables {@code [workers.NAME]} and {@code [groups.NAME]} of the settings file. */
public final class WorkersSection {
  private static final int MAX_AT_ONCE = 1_000_000;
  private static final int MAX_ATTEMPTS = 100;

  private WorkersSection() {}

  public static WorkerRegistry read(ConfigSection workers, ConfigSection groups) {
    List<WorkerConfig> plans = new ArrayList<>();
    workers
        .sectionByName()
        .forEach((name, worker) ->
            plans.add(plan(workers.held(name, () -> NamePattern.of(name)), worker)));
    List<Group> known = new ArrayList<>();
    groups
        .sectionByName()
        .forEach(
            (name, group) -> known.add(group(groups.held(name, () -> GroupName.of(name)), group)));
    return new WorkerRegistry(plans, Groups.of(known));
  }

  private static WorkerConfig plan(NamePattern name, ConfigSection worker) {
    ConfigSection limits = worker.section("limits");
    WorkerConfig plan =
        new WorkerConfig(
            name,
            worker.text("agent", AgentName::of),
            worker.text("workspace", text -> folder("workspace", text)),
            worker.text("chat_folder", text -> folder("chat_folder", text)),
            worker.number("at_once", 0, MAX_AT_ONCE).orElse(1),
            worker.oneOf("pending", PendingPolicy.class).orElse(PendingPolicy.ALL),
            worker.number("attempts", 1, MAX_ATTEMPTS).orElse(RunSpec.DEFAULT_ATTEMPTS),
            SandboxSection.read(worker, limits),
            LimitsSection.read(limits),
            rules(name, worker));
    limits.noMore();
    worker.noMore();
    return plan;
  }

  private static DispatchRules rules(NamePattern name, ConfigSection worker) {
    DispatchRules defaults = DispatchRules.defaultFor(name.text());
    return new DispatchRules(
        worker.text("branch_prefix", WorkersSection::branchPrefix).orElse(defaults.branchPrefix()),
        worker.flag("screenshots").orElse(defaults.screenshotsAllowed()));
  }

  private static String branchPrefix(String text) {
    if (!text.matches("([A-Za-z0-9_][A-Za-z0-9._/-]{0,63})?") || text.contains("..")) {
      throw Problem.invalid(
              "branch_prefix",
              "the beginning of a branch name, or blank",
              "branch_prefix must be the beginning of a branch name, or blank")
          .refused();
    }
    return text;
  }

  private static Path folder(String key, String text) {
    Path path = Path.of(text);
    if (!path.isAbsolute()) {
      throw Problem.invalid(key, "an absolute path", key + " must be an absolute path").refused();
    }
    return path.normalize();
  }

  private static Group group(GroupName name, ConfigSection group) {
    Role role =
        group
            .text("role", WorkersSection::role)
            .orElseGet(() -> group.held("role", () -> WorkersSection.role("")));
    List<NamePattern> workers =
        group.texts("workers").orElse(List.of()).stream()
            .map(text -> group.held("workers", () -> NamePattern.of(text)))
            .toList();
    if (role != Role.LEAD && !workers.isEmpty()) {
      group.held(
          "workers",
          () -> {
            throw Problem.invalid("workers", "a lead's", "only a lead has workers").refused();
          });
    }
    group.noMore();
    return new Group(name, role, workers);
  }

  /** Parses a role. Refuses main: it belongs to the owner of the hub, and no file grants it. */
  private static Role role(String text) {
    return switch (text) {
      case "lead" -> Role.LEAD;
      case "observer" -> Role.OBSERVER;
      case "worker" -> Role.WORKER;
      case "member" -> Role.MEMBER;
      default ->
          throw Problem.invalid(
                  "role",
                  "one of: lead, observer, worker, member",
                  "role must be one of: lead, observer, worker, member")
              .refused();
    };
  }
}
