package dev.midcourse.cli.doctor;

import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.hub.settings.WorkerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the machine, the data folder, the hub and the agents. */
public final class HealthChecks {
  private static final int MAX_SOCKET_PATH = 103;
  private static final long LITTLE_SPACE = 1L << 30;
  private static final String REHEARSAL = "rehearsal";

  /** Severity of a check result. */
  public enum Grade {
    GOOD,
    /** A part cannot be used. */
    LACKING,
    /** Nothing works. */
    BROKEN
  }

  /** The result of a check, and the remedy if there is one. */
  public record CheckResult(String name, Grade grade, String what, String remedy) {
    static CheckResult good(String name, String what) {
      return new CheckResult(name, Grade.GOOD, TextSanitizer.line(what), "");
    }
  }

  private final ShellContext shell;
  private final List<CheckResult> findings = new ArrayList<>();

  public HealthChecks(ShellContext shell) {
    this.shell = shell;
  }

  public List<CheckResult> all() throws InterruptedException {
    findings.add(CheckResult.good("midcourse", Version.NUMBER));
    findings.add(
        CheckResult.good("java", Runtime.version() + ", " + System.getProperty("java.vendor", "")));
    dataFolder();
    settings();
    program("git", "worktrees of dispatched runs", "install git");
    program("setsid", "a hub that keeps running after its terminal closes", "install util-linux");
    hub();
    return List.copyOf(findings);
  }

  private void dataFolder() {
    Path data = shell.data();
    try {
      Files.createDirectories(data);
      Path probe = Files.createTempFile(data, "doctor", ".tmp");
      Files.delete(probe);
    } catch (IOException e) {
      findings.add(
          new CheckResult(
              "data directory",
              Grade.BROKEN,
              "cannot write to " + data + ": " + e.getMessage(),
              "set MIDCOURSE_HOME to a writable directory"));
      return;
    }
    findings.add(CheckResult.good("data directory", data.toString()));
    String socket = data.resolve(HubClient.SOCKET).toString();
    if (socket.length() > MAX_SOCKET_PATH) {
      findings.add(
          new CheckResult(
              "socket",
              Grade.BROKEN,
              "its path has " + socket.length() + " characters; the limit is " + MAX_SOCKET_PATH,
              "set MIDCOURSE_HOME to a directory with a shorter path"));
    }
    openToOthers(data);
    space(data);
  }

  private void openToOthers(Path data) {
    try {
      boolean open =
          Files.getPosixFilePermissions(data).stream()
              .anyMatch(p ->
                  p == PosixFilePermission.GROUP_WRITE || p == PosixFilePermission.OTHERS_WRITE);
      if (open) {
        findings.add(
            new CheckResult(
                "permissions",
                Grade.LACKING,
                "other users can write to " + data,
                "chmod 700 '" + data + "'"));
      }
    } catch (IOException | UnsupportedOperationException e) {
      // A file system without permissions has no permissions to check.
    }
  }

  private void space(Path data) {
    try {
      long free = Files.getFileStore(data).getUsableSpace();
      if (free < LITTLE_SPACE) {
        findings.add(
            new CheckResult(
                "disk",
                Grade.LACKING,
                free / (1 << 20) + " MiB free on the disk of " + data,
                "free some space, or delete old runs: midcourse prune"));
      }
    } catch (IOException e) {
      // The free space is unknown, so there is nothing to report.
    }
  }

  private void settings() throws InterruptedException {
    Path file = shell.data().resolve(SettingsFile.NAME);
    try {
      HubSettings settings = SettingsFile.read(shell.data());
      findings.add(CheckResult.good("settings", Files.exists(file) ? file.toString() : "defaults"));
      for (WorkerConfig plan : settings.workers().workers()) {
        sandbox(plan.name().text(), plan.confinement().sandbox());
      }
    } catch (RefusedException e) {
      findings.add(
          new CheckResult(
              "settings",
              Grade.BROKEN,
              TextSanitizer.line(e.problem().message()),
              "fix that line; all settings: docs/configuration.md"));
    }
  }

  /** Checks whether the sandbox of a worker can be created on this machine. */
  private void sandbox(String worker, Sandbox sandbox) throws InterruptedException {
    String what =
        switch (sandbox) {
          case Sandbox.None() -> "";
          case Sandbox.Bubblewrap _ -> "bwrap";
          case Sandbox.Container container -> container.image().value();
        };
    if (what.isEmpty()) {
      return;
    }
    try {
      String with = SandboxLauncher.ofThisSystem().means(sandbox);
      findings.add(CheckResult.good(worker, what + " works, with " + with));
    } catch (IOException reason) {
      findings.add(
          new CheckResult(
              worker,
              Grade.LACKING,
              TextSanitizer.line(what + " does not work: " + reason.getMessage()),
              "runs of this worker fail until this is fixed"));
    }
  }

  private void program(String name, String purpose, String remedy) {
    Optional<Path> found = shell.onPath(name);
    findings.add(
        found
            .map(path -> CheckResult.good(name, path.toString()))
            .orElseGet(() ->
                new CheckResult(name, Grade.LACKING, "not found; needed for " + purpose, remedy)));
  }

  private void hub() throws InterruptedException {
    HubClient hub = HubClient.at(shell.data());
    try {
      boolean there = hub.health().isPresent();
      new HubStarter(shell).ensure();
      JsonValue.Obj health = hub.health().orElse(JsonValue.Obj.EMPTY);
      String version = health.text("version").orElse("?");
      String what =
          (there ? "running" : "started")
              + ", pid "
              + health.text("pid").orElse("?")
              + health.text("url").map(url -> ", " + url).orElse("");
      findings.add(
          version.equals(Version.NUMBER)
              ? CheckResult.good("hub", what)
              : new CheckResult(
                  "hub",
                  Grade.LACKING,
                  "the hub has version " + version + ", this command has " + Version.NUMBER,
                  "restart the hub, agents keep running: midcourse shutdown && midcourse doctor"));
      agents(hub);
    } catch (Failure e) {
      findings.add(new CheckResult("hub", Grade.BROKEN, e.what(), e.remedy()));
    }
  }

  private void agents(HubClient hub) {
    boolean any = false;
    for (JsonValue.Obj agent : hub.get("/agents").objects("agents")) {
      String name = agent.text("name").orElse("");
      boolean found = agent.is("found");
      any |= found && !name.equals(REHEARSAL);
      findings.add(
          found
              ? CheckResult.good(
                  name,
                  agent.text("version").orElse("")
                      + agent.text("program").map(path -> ", " + path).orElse(""))
              : new CheckResult(
                  TextSanitizer.line(name),
                  Grade.LACKING,
                  "not installed",
                  TextSanitizer.line(agent.text("hint").orElse(""))));
    }
    if (!any) {
      findings.add(
          new CheckResult(
              "agents",
              Grade.LACKING,
              "no coding agent is installed; runs use the rehearsal agent",
              "install one of the agents above"));
    }
  }
}
