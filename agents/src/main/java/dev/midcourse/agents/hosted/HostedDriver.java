package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Heard.Place;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.process.AttemptFolder;
import dev.midcourse.agents.process.Found;
import dev.midcourse.agents.process.Hosted;
import dev.midcourse.agents.process.Launch;
import dev.midcourse.agents.process.LaunchFailure;
import dev.midcourse.agents.process.Mark;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.sandbox.Confiner;
import dev.midcourse.agents.sandbox.Missing;
import dev.midcourse.agents.sandbox.Program;
import dev.midcourse.core.agent.AgentEvent.Exited;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Starts an agent's program and finds it again. Whatever keeps a program from starting is heard as
 * its exit, never thrown.
 */
public abstract class HostedDriver implements Driver {

  /** What shells say of a command that cannot be started. */
  private static final int CANNOT_START = 127;

  private static final int NOBODY_KNOWS = -1;

  private final ProcessHost host;
  private final Confiner confiner = Confiner.ofThisSystem();

  protected HostedDriver(ProcessHost host) {
    this.host = host;
  }

  /** What to start for this order. */
  protected abstract Command command(Order order);

  /** The agent that this program is, as far as it has been heard. */
  protected abstract HostedAgent agent(Order order, Hosted program, Place from, Ear ear);

  @Override
  public final Agent start(Order order, Ear ear) {
    Hosted program;
    try {
      program = started(order);
    } catch (Missing missing) {
      return new AbsentAgent(new Exited(CANNOT_START, words(missing), true), Place.START, ear);
    } catch (IOException | RuntimeException failure) {
      return new AbsentAgent(new Exited(CANNOT_START, words(failure)), Place.START, ear);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new AbsentAgent(
          new Exited(CANNOT_START, "interrupted while it started"), Place.START, ear);
    }
    HostedAgent agent = agent(order, program, Place.START, ear);
    agent.greet();
    agent.listen();
    return agent;
  }

  /** An agent that nobody can write to any more is ended, so that its session can be resumed. */
  @Override
  public final Agent attach(Order order, Place from, Ear ear) {
    Found found;
    try {
      found = host.find(new AttemptFolder(order.folder()), new Mark(order.mark()));
    } catch (IOException | RuntimeException failure) {
      return new AbsentAgent(new Exited(NOBODY_KNOWS, words(failure)), from, ear);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new AbsentAgent(
          new Exited(NOBODY_KNOWS, "interrupted while it was looked for"), from, ear);
    }
    return switch (found) {
      case Found.Alive(Hosted program) -> {
        HostedAgent agent = agent(order, program, from, ear);
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
        HostedAgent agent = agent(order, program, from, ear);
        agent.listen();
        yield agent;
      }
      case Found.NeverStarted() ->
          new AbsentAgent(new Exited(NOBODY_KNOWS, "it was never started"), from, ear);
    };
  }

  private Hosted started(Order order) throws IOException, InterruptedException {
    if (!Files.isDirectory(order.workspace())) {
      throw new IOException("the workspace is not a folder: " + order.workspace());
    }
    Files.createDirectories(order.home());
    AttemptFolder folder = AttemptFolder.create(order.folder());
    Launch launch = launch(order, folder);
    try {
      return host.start(launch, folder);
    } catch (LaunchFailure failure) {
      Confiner.clear(folder);
      throw failure;
    }
  }

  private Launch launch(Order order, AttemptFolder folder)
      throws IOException, InterruptedException {
    Command command = command(order);
    Map<String, String> environment = Surroundings.of(order, command.environment());
    Mark mark = new Mark(order.mark());
    Program program =
        new Program(folder, mark, order.home(), order.workspace(), environment, command.words());
    return new Launch(
        confiner.confined(order.confinement(), program), environment, order.workspace(), mark);
  }

  private static String words(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /**
   * A program with its arguments, and what it needs in its environment beyond {@link Surroundings}.
   */
  public record Command(List<String> words, Map<String, String> environment) {
    public Command {
      words = List.copyOf(words);
      environment = Map.copyOf(environment);
    }
  }
}
