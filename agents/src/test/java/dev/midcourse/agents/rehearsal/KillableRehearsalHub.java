package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Steers;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A hub in a process of its own that can be killed at any moment. It starts the agent or attaches
 * to it, steers it without pause, and stores events and offset together, as a hub must.
 */
final class KillableRehearsalHub {
  static final String PROMPT =
      "$ echo tick\n".repeat(30) + "$ until test -e stop; do echo tick; sleep 0.02; done";

  private KillableRehearsalHub() {}

  /** What a hub stored at once. */
  record Entry(long offset, String memo, String events) {
    private static final String TAB = "\t";

    String line() {
      return offset + TAB + memo + TAB + events + "\n";
    }

    static Entry parse(String line) {
      String[] fields = line.split(TAB, 3);
      return new Entry(Long.parseLong(fields[0]), fields[1], fields[2]);
    }

    static String words(List<AgentEvent> events) {
      StringBuilder words = new StringBuilder();
      for (AgentEvent event : events) {
        words.append(event.toString().replace("\n", "\\n").replace("\t", " ")).append(" | ");
      }
      return words.toString();
    }
  }

  /** Everything that was stored before the last hub died. */
  static List<Entry> stored(Path ledger) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try {
      String text = Files.readString(ledger);
      text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Entry::parse).forEach(entries::add);
    } catch (NoSuchFileException nothingYet) {
      return List.of();
    }
    return entries;
  }

  static AttemptSpec order(Path root, String mark) {
    return new AttemptSpec(
        RunId.of("some-run"),
        1,
        mark,
        root.resolve("attempt-1"),
        root.resolve("home"),
        root.resolve("workspace"),
        Optional.empty(),
        Map.of());
  }

  static OutputCheckpoint place(List<Entry> entries) {
    return entries.isEmpty()
        ? OutputCheckpoint.START
        : new OutputCheckpoint(entries.getLast().offset(), entries.getLast().memo());
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    Path ledger = root.resolve("ledger");
    AttemptSpec spec = order(root, arguments[1]);
    RehearsalDriver driver = new RehearsalDriver(ProcessHost.open());
    List<Entry> before = stored(ledger);
    FileOutputStream out = new FileOutputStream(ledger.toFile(), true);
    Agent agent;
    if (Files.exists(spec.folder())) {
      agent = driver.attach(spec, place(before), batch -> store(out, batch));
    } else {
      agent = driver.start(spec, batch -> store(out, batch));
    }
    // The same prompt again is ignored, as after any crash.
    agent.prompt(1, PROMPT);
    Ids ids = new Ids(new SecureRandom());
    while (true) {
      SteerId id = ids.steer();
      agent.steer(id, Steers.framed(id, "hello\n$ echo steered"));
      Thread.sleep(10);
    }
  }

  private static void store(FileOutputStream ledger, AgentEventBatch batch) {
    OutputCheckpoint place = batch.upTo();
    String line = new Entry(place.offset(), place.memo(), Entry.words(batch.events())).line();
    try {
      ledger.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
