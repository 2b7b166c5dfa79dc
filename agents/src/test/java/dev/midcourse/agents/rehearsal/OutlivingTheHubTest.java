package dev.midcourse.agents.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Hosting;
import dev.midcourse.agents.RecordingListener;
import dev.midcourse.agents.Seed;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.rehearsal.KillableRehearsalHub.Entry;
import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.rehearsal.program.Transcript;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.Exited;
import dev.midcourse.core.agent.AgentEvent.Started;
import dev.midcourse.core.agent.AgentEvent.SteerInjected;
import dev.midcourse.core.agent.AgentEvent.TurnEnded;
import dev.midcourse.core.id.SteerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent goes on while hub after hub is killed, and what they stored fits together. */
@Tag("slow")
final class OutlivingTheHubTest {
  private static final String MARK = "0123456789abcdef0123456789abcdef";
  private static final int HUBS = 4;

  private final Hosting hosting = new Hosting();
  private final List<Process> hubs = new ArrayList<>();

  @AfterEach
  void end() {
    hubs.forEach(Process::destroyForcibly);
    hosting.close();
  }

  @Test
  void no_event_is_doubled_or_missed_when_hubs_are_killed_at_random(@TempDir Path root)
      throws Exception {
    Seed seed = Seed.drawnFor("killed hubs");
    Random random = seed.random();
    AttemptSpec spec = hosting.keep(KillableRehearsalHub.order(root, MARK));
    Files.createDirectories(spec.workspace());
    Path ledger = root.resolve("ledger");
    for (int i = 0; i < HUBS; i++) {
      runAndKill(root, ledger, KillableRehearsalHub.stored(ledger).size() + 1 + random.nextInt(30));
    }
    assertThat(hosting.alive(spec)).contains("java");

    List<Entry> stored = KillableRehearsalHub.stored(ledger);
    RecordingListener last = new RecordingListener();
    RehearsalDriver driver = new RehearsalDriver(hosting.host());
    Agent agent = driver.attach(spec, KillableRehearsalHub.place(stored), last);
    Files.createFile(spec.workspace().resolve("stop"));
    last.await(TurnEnded.class);
    agent.end(StopTimeouts.DEFAULT);
    last.await(Exited.class);

    RecordingListener whole = new RecordingListener();
    driver.attach(spec, OutputCheckpoint.START, whole);
    whole.await(Exited.class);
    String pieces =
        stored.stream().map(Entry::events).collect(Collectors.joining())
            + Entry.words(last.events());
    assertThat(pieces).as("%s", seed).isEqualTo(Entry.words(whole.events()));
    assertThat(taken(spec, whole))
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .isEqualTo(injected(whole.events()));
  }

  private void runAndKill(Path root, Path ledger, int entries) throws IOException {
    Process hub =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KillableRehearsalHub.class.getName(),
                root.toString(),
                MARK)
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("hub-" + hubs.size() + ".log").toFile())
            .start();
    hubs.add(hub);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(3))
        .until(() -> !hub.isAlive() || KillableRehearsalHub.stored(ledger).size() >= entries);
    assertThat(hub.isAlive()).as(() -> "the hub died by itself: " + log(root)).isTrue();
    hub.destroyForcibly();
    Awaitility.await().until(() -> !hub.isAlive());
  }

  private String log(Path root) {
    try {
      return Files.readString(root.resolve("hub-" + (hubs.size() - 1) + ".log"));
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  private static List<SteerId> taken(AttemptSpec spec, RecordingListener whole) throws IOException {
    return Transcript.notes(spec.home(), whole.await(Started.class).session().orElseThrow())
        .stream()
        .filter(RehearsalEvent.Took.class::isInstance)
        .map(note -> ((RehearsalEvent.Took) note).steer())
        .toList();
  }

  private static List<SteerId> injected(List<AgentEvent> events) {
    return events.stream()
        .filter(SteerInjected.class::isInstance)
        .map(event -> ((SteerInjected) event).steer())
        .toList();
  }
}
