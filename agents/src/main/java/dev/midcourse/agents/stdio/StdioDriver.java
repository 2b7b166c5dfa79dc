package dev.midcourse.agents.stdio;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard.Place;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.process.AttemptFolder;
import dev.midcourse.agents.process.Found;
import dev.midcourse.agents.process.Hosted;
import dev.midcourse.agents.process.Launch;
import dev.midcourse.agents.process.Mark;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.core.id.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The driver of every agent that is spoken to over its standard input and output; a {@link Dialect}
 * says how. Whatever keeps a program from starting is heard as its exit, never thrown.
 */
public final class StdioDriver implements Driver {

  /** What shells say of a command that cannot be started. */
  private static final int CANNOT_START = 127;

  private static final int NOBODY_KNOWS = -1;

  private final ProcessHost host;
  private final Dialect dialect;

  public StdioDriver(ProcessHost host, Dialect dialect) {
    this.host = host;
    this.dialect = dialect;
  }

  @Override
  public Finding find() {
    return dialect.find();
  }

  @Override
  public Agent start(Order order, Ear ear) {
    Hosted program;
    try {
      program = host.start(launch(order), AttemptFolder.create(order.folder()));
    } catch (IOException | RuntimeException failure) {
      return new AbsentAgent(CANNOT_START, words(failure), Place.START, ear);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new AbsentAgent(CANNOT_START, "interrupted while it started", Place.START, ear);
    }
    StdioAgent agent =
        new StdioAgent(program, dialect.framing(), dialect.protocol(order), Place.START, ear);
    agent.greet();
    agent.listen();
    return agent;
  }

  /** An agent that nobody can write to any more is ended, so that its session can be resumed. */
  @Override
  public Agent attach(Order order, Place from, Ear ear) {
    Found found;
    try {
      found = host.find(new AttemptFolder(order.folder()), new Mark(order.mark()));
    } catch (IOException | RuntimeException failure) {
      return new AbsentAgent(NOBODY_KNOWS, words(failure), from, ear);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new AbsentAgent(NOBODY_KNOWS, "interrupted while it was looked for", from, ear);
    }
    return switch (found) {
      case Found.Alive(Hosted program) -> {
        StdioAgent agent = again(order, program, from, ear);
        if (!program.outlivesUs()) {
          agent.listen();
          agent.end(new Agent.Grace(Duration.ZERO, Duration.ZERO));
          yield agent;
        }
        if (from.equals(Place.START)) {
          agent.greet();
        }
        agent.listen();
        yield agent;
      }
      case Found.Over(Hosted program, var _) -> {
        StdioAgent agent = again(order, program, from, ear);
        agent.listen();
        yield agent;
      }
      case Found.NeverStarted() -> new AbsentAgent(NOBODY_KNOWS, "it was never started", from, ear);
    };
  }

  @Override
  public Optional<Set<String>> recorded(Order order, SessionId session, Set<String> passages) {
    Map<String, String> environment = Surroundings.of(order, dialect.command(order).environment());
    return dialect.record(session, environment).flatMap(record -> record.holding(passages));
  }

  private StdioAgent again(Order order, Hosted program, Place from, Ear ear) {
    Protocol protocol =
        from.equals(Place.START) ? dialect.protocol(order) : dialect.restore(order, from.memo());
    return new StdioAgent(program, dialect.framing(), protocol, from, ear);
  }

  private Launch launch(Order order) throws IOException {
    if (!Files.isDirectory(order.workspace())) {
      throw new IOException("the workspace is not a folder: " + order.workspace());
    }
    Files.createDirectories(order.home());
    Dialect.Command command = dialect.command(order);
    return new Launch(
        command.words(),
        Surroundings.of(order, command.environment()),
        order.workspace(),
        new Mark(order.mark()));
  }

  private static String words(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
