package dev.midcourse.cli.doctor;

import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.HubStarter;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Version;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.hub.mailbox.MailboxRoot;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.hub.settings.worker.WorkerConfig;
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
  private static final long MIN_FREE_BYTES = 1L << 30;
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
    mailboxes(data.resolve("ipc"));
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

  /** Checks the folder of the mailboxes, which may be a link to a folder elsewhere. */
  private void mailboxes(Path root) {
    if (!Files.isSymbolicLink(root) && !Files.exists(root)) {
      return;
    }
    try {
      Optional<Problem> problem = MailboxRoot.check(root);
      if (problem.isPresent()) {
        findings.add(
            new CheckResult(
                "mailboxes",
                Grade.BROKEN,
                TextSanitizer.line(problem.get().message()),
                "the hub does not start until this is fixed"));
      } else if (MailboxRoot.isOpenToOthers(root)) {
        findings.add(
            new CheckResult(
                "mailboxes",
                Grade.LACKING,
                TextSanitizer.line("other users can look into " + root.toRealPath()),
                "restart the hub, which closes it: midcourse shutdown && midcourse doctor"));
      } else if (Files.isSymbolicLink(root)) {
        findings.add(CheckResult.good("mailboxes", "in " + root.toRealPath()));
      }
    } catch (IOException e) {
      findings.add(
          new CheckResult(
              "mailboxes", Grade.LACKING, "cannot read " + root + ": " + e.getMessage(), ""));
    }
  }

  private void space(Path data) {
    try {
      long free = Files.getFileStore(data).getUsableSpace();
      if (free < MIN_FREE_BYTES) {
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
      WorkerChecks workers = new WorkerChecks(shell, settings);
      for (WorkerConfig worker : settings.workers().workers()) {
        findings.addAll(workers.of(worker));
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

  private void program(String name, String purpose, String remedy) {
    Optional<Path> found = shell.onPath(name);
    findings.add(
        found
            .map(path -> CheckResult.good(name, path.toString()))
            .orElseGet(() ->
                new CheckResult(name, Grade.LACKING, "not found; needed for " + purpose, remedy)));
  }

  private void hub() throws InterruptedException {
    HubClient hub = HubClient.of(shell);
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
      channels(hub);
    } catch (Failure e) {
      findings.add(new CheckResult("hub", Grade.BROKEN, e.what(), e.remedy()));
    }
  }

  /** One line for each channel of a platform. */
  private void channels(HubClient hub) {
    for (JsonValue.Obj channel : hub.get("/channels").objects("channels")) {
      if (channel.text("source").isPresent()) {
        findings.add(ofChannel(channel));
      }
    }
  }

  /** A hub that stands by for another one is well; so is one that connects for the first time. */
  private static CheckResult ofChannel(JsonValue.Obj channel) {
    String name = TextSanitizer.line(channel.text("channel").orElse(""));
    String title = "channel " + name;
    String state = channel.text("state").orElse("");
    String what =
        TextSanitizer.line(
            channel.text("kind").orElse("")
                + ", "
                + state
                + channel.text("reason").map(reason -> ": " + reason).orElse(""));
    return switch (state) {
      case "connected", "starting", "standby" -> CheckResult.good(title, what);
      case "stopped" ->
          new CheckResult(
              title, Grade.BROKEN, what, TextSanitizer.line(channel.text("remedy").orElse("")));
      default ->
          new CheckResult(
              title,
              Grade.LACKING,
              what,
              "it is tried again by itself; to ask the platform: midcourse channel test " + name);
    };
  }

  private static CheckResult unusable(JsonValue.Obj agent, String name) {
    Optional<String> problem = agent.text("problem");
    String hint = TextSanitizer.line(agent.text("hint").orElse(""));
    return problem
        .map(why ->
            new CheckResult(
                TextSanitizer.line(name),
                Grade.BROKEN,
                TextSanitizer.line(agent.text("program").orElse("") + ": " + why),
                "install it again: " + hint))
        .orElseGet(
            () -> new CheckResult(TextSanitizer.line(name), Grade.LACKING, "not installed", hint));
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
              : unusable(agent, name));
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
