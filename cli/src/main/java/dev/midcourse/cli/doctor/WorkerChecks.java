package dev.midcourse.cli.doctor;

import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.cli.doctor.HealthChecks.CheckResult;
import dev.midcourse.cli.doctor.HealthChecks.Grade;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.hub.boot.HiddenPaths;
import dev.midcourse.hub.boot.SandboxNotes;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.worker.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the sandboxes and limits of the workers that the settings declare. */
final class WorkerChecks {
  private final ShellContext shell;
  private final HubSettings settings;

  WorkerChecks(ShellContext shell, HubSettings settings) {
    this.shell = shell;
    this.settings = settings;
  }

  List<CheckResult> of(WorkerConfig worker) throws InterruptedException {
    String name = worker.name().text();
    List<CheckResult> results = new ArrayList<>();
    sandbox(name, worker.confinement().sandbox()).ifPresent(results::add);
    systemCalls(name, worker.confinement().sandbox()).ifPresent(results::add);
    program(name, worker).ifPresent(results::add);
    limits(name, worker.confinement()).ifPresent(results::add);
    return results;
  }

  /** Checks whether the sandbox can be created on this machine. */
  private static Optional<CheckResult> sandbox(String worker, Sandbox sandbox)
      throws InterruptedException {
    String what =
        switch (sandbox) {
          case Sandbox.None() -> "";
          case Sandbox.Bubblewrap _ -> "bwrap";
          case Sandbox.Container container -> container.image().value();
        };
    if (what.isEmpty()) {
      return Optional.empty();
    }
    try {
      String with = SandboxLauncher.ofThisSystem().means(sandbox);
      String network = SandboxNotes.network(sandbox).orElse("no network");
      return Optional.of(CheckResult.good(worker, what + " works, with " + with + "; " + network));
    } catch (IOException reason) {
      return Optional.of(
          new CheckResult(
              worker,
              Grade.BROKEN,
              TextSanitizer.line(what + " does not work: " + reason.getMessage()),
              "runs of this worker fail until this is fixed"));
    }
  }

  /** Checks whether the system calls in the sandbox are filtered, if the sandbox works. */
  private static Optional<CheckResult> systemCalls(String worker, Sandbox sandbox) {
    try {
      return SandboxNotes.systemCalls(sandbox)
          .map(note ->
              new CheckResult(
                  worker,
                  Grade.LACKING,
                  TextSanitizer.line(note),
                  "to have them filtered: use podman, with a file of default rules such as"
                      + " /usr/share/containers/seccomp.json"));
    } catch (IOException reported) {
      return Optional.empty(); // the check of the sandbox has said why it does not work
    }
  }

  /** Checks whether the sandbox hides the program of the worker's agent. */
  private Optional<CheckResult> program(String name, WorkerConfig worker) {
    Optional<AgentName> agent = worker.agent().or(settings::defaultAgent);
    if (agent.isEmpty() || !(worker.confinement().sandbox() instanceof Sandbox.Bubblewrap own)) {
      return Optional.empty();
    }
    String command =
        Optional.ofNullable(settings.agentSettings().get(agent.get()))
            .flatMap(written -> written.command())
            .orElse(agent.get().value());
    Optional<Path> program =
        command.startsWith("/") ? Optional.of(Path.of(command)) : shell.onPath(command);
    Sandbox.Bubblewrap sandbox =
        HiddenPaths.of(shell.data()).from(own, settings.namesOf(agent.get()));
    try {
      if (program.isPresent()) {
        SandboxLauncher.ofThisSystem()
            .requireVisible(sandbox, List.of(program.get().toString()), Map.of());
      }
      return Optional.empty();
    } catch (IOException reason) {
      return Optional.of(
          new CheckResult(
              name,
              Grade.BROKEN,
              TextSanitizer.line(String.valueOf(reason.getMessage())),
              "runs of this worker fail until this is fixed"));
    }
  }

  /** Checks whether the limits can be set for all processes of a run together. */
  private static Optional<CheckResult> limits(String worker, SandboxSpec confinement)
      throws InterruptedException {
    boolean required = confinement.enforcement() == SandboxSpec.Enforcement.REQUIRED;
    return SandboxNotes.limits(confinement)
        .map(note ->
            new CheckResult(
                worker,
                required ? Grade.BROKEN : Grade.LACKING,
                TextSanitizer.line(note),
                required
                    ? "runs of this worker fail until this is fixed"
                    : "to refuse such runs: limits.required = true in midcourse.toml"));
  }
}
