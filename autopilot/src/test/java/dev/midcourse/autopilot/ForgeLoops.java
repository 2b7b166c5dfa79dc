package dev.midcourse.autopilot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.midcourse.autopilot.ForgePlanner.ForgePlan;
import dev.midcourse.autopilot.ForgePlanner.ForgeRequest;
import dev.midcourse.autopilot.catalogue.ForgeAdapters;
import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.autopilot.forge.ForgeSettings;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.ParkReason;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeKind;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.engine.context.EngineSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * A hub with loops, the adapters of all forges and one forge in its settings, whose token is in a
 * file. All that the hub and its agents write is in one folder, and its log is kept.
 */
public final class ForgeLoops implements AutoCloseable {
  private static final Logger ROOT = Logger.getLogger("dev.midcourse");

  private final Path token;
  private final ForgeSettings settings;
  private final AutopilotFixture fixture;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Handler handler = new LogKeeper(log);

  /** A forge of the settings. */
  public record AtForge(ForgeKind kind, URI api, String user, String token) {
    @Override
    public String toString() {
      return "AtForge[" + kind + ", " + api + "]";
    }
  }

  /** Keeps all lines of the log with their exceptions. */
  private static final class LogKeeper extends Handler {
    private final List<String> log;

    LogKeeper(List<String> log) {
      this.log = log;
    }

    @Override
    public void publish(LogRecord line) {
      StringWriter text = new StringWriter();
      text.append(String.valueOf(line.getMessage()));
      Optional.ofNullable(line.getParameters())
          .ifPresent(it -> text.append(' ').append(Arrays.toString(it)));
      Optional.ofNullable(line.getThrown())
          .ifPresent(it -> it.printStackTrace(new PrintWriter(text, true)));
      log.add(text.toString());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  public ForgeLoops(Path folder, AtForge forge) throws IOException {
    token = Files.createDirectory(folder.resolve("secrets")).resolve("token");
    Files.writeString(token, forge.token() + "\n");
    settings =
        new ForgeSettings(
            "work",
            forge.kind(),
            forge.api(),
            _ -> () -> new ForgeCredential.Secret(forge.user(), readToken()),
            forge.api().getAuthority(),
            Optional.empty(),
            Duration.ofMinutes(5),
            Duration.ofMillis(200));
    ROOT.setLevel(Level.ALL);
    ROOT.addHandler(handler);
    fixture = new AutopilotFixture(Files.createDirectory(folder.resolve("hub")));
    restart();
  }

  private String readToken() throws ForgeException {
    try {
      return Files.readString(token).strip();
    } catch (IOException e) {
      throw new ForgeException(new ForgeError.Unauthorized("the token cannot be read: " + e));
    }
  }

  /** Ends the hub; the next one opens all connections anew. */
  public void restart() {
    fixture.closeHub();
    fixture.forges =
        new ForgeRegistry(List.of(settings), new ForgeAdapters(InstantSource.system()));
    fixture.open();
  }

  public void changeToken(String text) throws IOException {
    Files.writeString(token, text + "\n");
  }

  /** Calls git in the clone of the user. */
  public String git(String arguments) throws IOException {
    return fixture.git(arguments);
  }

  /** A line of a prompt in which the rehearsal agent writes and commits a file. */
  public static String commits(String file, String text) {
    return AutopilotFixture.commits(file, text);
  }

  /**
   * Plans a loop on the branch {@code work} and creates it, as an order of a user does.
   *
   * @param reviewer a login at the forge
   * @param change the change that is taken over
   */
  public Loop create(String prompt, String reviewer, boolean land, Optional<String> change)
      throws InterruptedException {
    Optional<BranchName> branch =
        change.isPresent() ? Optional.empty() : Optional.of(BranchName.of("work"));
    ForgePlan plan =
        fixture
            .loops
            .planner()
            .plan(
                fixture.repository,
                new ForgeRequest(
                    Optional.empty(),
                    Optional.empty(),
                    change,
                    false,
                    false,
                    false,
                    List.of(),
                    Optional.empty()),
                branch,
                Optional.empty());
    return fixture.loops.create(
        new LoopOrder(
            prompt,
            fixture.repository,
            plan.base(),
            plan.branch(),
            EngineSettings.ANY_WORKER,
            AgentName.of("rehearsal"),
            new LoopReviewer.OfLogin(reviewer),
            Optional.empty(),
            LoopSpec.DEFAULT_REVIEW_TIMEOUT,
            LoopSpec.DEFAULT_CI_TIMEOUT,
            LoopBudget.DEFAULT,
            land,
            Optional.of(plan.order())),
        AutopilotFixture.ANNA);
  }

  /** Gives guidance for the next fix. */
  public void guideFix(Loop loop, String text) {
    SteerId _ = fixture.steer(loop, GuidanceScope.FIX, text);
  }

  public void go(Loop loop) {
    Loop _ = fixture.apply(loop, new LoopCommand.Go(AutopilotFixture.ANNA, 0, 0));
  }

  public Loop now(Loop loop) {
    return fixture.now(loop);
  }

  public Loop awaitPhase(Loop loop, LoopPhase phase) {
    return fixture.awaitPhase(loop, phase);
  }

  public Loop awaitParked(Loop loop, ParkReason reason) {
    return fixture.awaitParked(loop, reason);
  }

  /** The files of the hub, of the clone and of the agents that have these characters. */
  public List<Path> filesWith(String characters) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(fixture.folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, ISO_8859_1).contains(characters)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /** The lines of the log, without its prefixes. */
  public List<String> log() {
    return List.copyOf(log);
  }

  @Override
  public void close() {
    fixture.close();
    ROOT.removeHandler(handler);
    ROOT.setLevel(null);
  }
}
