package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.hosted.AgentCommand;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.rehearsal.program.DuplicatePolicy;
import dev.midcourse.agents.rehearsal.program.RehearsalProgram;
import dev.midcourse.agents.rehearsal.program.Transcript;
import dev.midcourse.agents.stdio.ConversationRecord;
import dev.midcourse.agents.stdio.Protocol;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.StdioAgentDefinition;
import dev.midcourse.agents.stdio.StdioDriver;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SessionId;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Drives the rehearsal agent as a separate process. The agent is always available, because it is
 * part of the hub.
 */
public final class RehearsalDriver implements Driver {

  /** The system property that names an AOT cache. The cache makes the program start faster. */
  public static final String AOT_CACHE = "midcourse.rehearsal.aot";

  private final StdioDriver driver;

  /** Creates a driver that uses the Java runtime and the classes of this process. */
  public RehearsalDriver(ProcessHost host) {
    this(host, defaultCommand());
  }

  /** Creates a driver with another command line, to which {@code --resume SESSION} is added. */
  public RehearsalDriver(ProcessHost host, List<String> command) {
    this(host, new Rehearsal(List.copyOf(command), DuplicatePolicy.MINDFUL));
  }

  private RehearsalDriver(ProcessHost host, Rehearsal rehearsal) {
    this.driver = new StdioDriver(host, rehearsal);
  }

  /**
   * Returns a driver of an agent that treats a repeated id as a new message, as most real agents
   * do.
   */
  public static RehearsalDriver forgetful(ProcessHost host) {
    List<String> command = new ArrayList<>(defaultCommand());
    command.add(DuplicatePolicy.FORGETFUL_OPTION);
    return new RehearsalDriver(
        host, new Rehearsal(List.copyOf(command), DuplicatePolicy.FORGETFUL));
  }

  @Override
  public ProgramLookup find() {
    return driver.find();
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    return driver.start(spec, listener);
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return driver.attach(spec, from, listener);
  }

  @Override
  public Optional<Set<String>> recorded(AttemptSpec spec, SessionId session, Set<String> passages) {
    return driver.recorded(spec, session, passages);
  }

  /**
   * Returns a command with small memory limits and only the two modules whose classes the program
   * needs.
   */
  static List<String> defaultCommand() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String cache = System.getProperty(AOT_CACHE, "");
    if (!cache.isEmpty() && Files.isRegularFile(Path.of(cache))) {
      command.add("-XX:AOTCache=" + cache);
    }
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xmx32m",
            "-Xss256k",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-cp",
            Stream.of(RehearsalProgram.class, AgentEvent.class)
                .map(RehearsalDriver::whereFrom)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator)),
            RehearsalProgram.class.getName()));
    return command;
  }

  private static String whereFrom(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private record Rehearsal(List<String> words, DuplicatePolicy duplicates)
      implements StdioAgentDefinition {

    @Override
    public ProgramLookup find() {
      return new ProgramLookup.Found(words.getFirst(), Version.NUMBER, duplicates.can());
    }

    @Override
    public AgentCommand command(AttemptSpec spec) {
      List<String> all = new ArrayList<>(words);
      spec.resume().ifPresent(session -> all.addAll(List.of("--resume", session.value())));
      return new AgentCommand(all, Map.of());
    }

    @Override
    public Optional<ConversationRecord> record(SessionId session, Map<String, String> environment) {
      return Optional.of(
          new ConversationRecord(
              Transcript.folder(Path.of(environment.get("HOME"))),
              session,
              note -> Set.of("opened", "took").contains(ProtocolJson.text(note, "note"))));
    }

    @Override
    public Protocol protocol(AttemptSpec spec, Optional<String> memo) {
      return memo.map(it -> RehearsalProtocol.restore(duplicates.can(), it))
          .orElseGet(() -> RehearsalProtocol.fresh(duplicates.can()));
    }
  }
}
