package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch.OutputCheckpoint;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.process.AttachResult;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.Launch;
import dev.midcourse.agents.process.attempt.LaunchFailure;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.sandbox.MissingDependencyException;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.agents.sandbox.SandboxedProgram;
import dev.midcourse.core.agent.AgentEvent.Exited;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/**
 * Starts the program of an agent, and attaches to a running one. A program that cannot be started
 * is reported as {@code Exited}; no exception is thrown.
 */
public abstract class HostedDriver implements Driver {

  /** The exit code that shells use for a command that cannot be started. */
  private static final int CANNOT_START = 127;

  private static final int UNKNOWN_EXIT_CODE = -1;

  private final ProcessHost host;
  private final SandboxLauncher confiner = SandboxLauncher.ofThisSystem();

  protected HostedDriver(ProcessHost host) {
    this.host = host;
  }

  /** The command for this attempt. */
  protected abstract AgentCommand command(AttemptSpec spec);

  /** Creates the agent of this program, in the state of the checkpoint. */
  protected abstract HostedAgent agent(
      AttemptSpec spec, HostedProcess program, OutputCheckpoint from, AgentListener listener);

  @Override
  public final Agent start(AttemptSpec spec, AgentListener listener) {
    HostedProcess program;
    try {
      program = started(spec);
    } catch (MissingDependencyException missing) {
      return new MissingAgent(
          new Exited(CANNOT_START, describe(missing), true), OutputCheckpoint.START, listener);
    } catch (IOException | RuntimeException failure) {
      return new MissingAgent(
          new Exited(CANNOT_START, describe(failure)), OutputCheckpoint.START, listener);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new MissingAgent(
          new Exited(CANNOT_START, "interrupted while it started"),
          OutputCheckpoint.START,
          listener);
    }
    HostedAgent agent = agent(spec, program, OutputCheckpoint.START, listener);
    agent.greet();
    agent.listen();
    return agent;
  }

  /** Ends an agent whose input cannot be written any more, so that its session can be resumed. */
  @Override
  public final Agent attach(AttemptSpec spec, OutputCheckpoint from, AgentListener listener) {
    AttachResult found;
    try {
      found = host.find(new AttemptFolder(spec.folder()), new ProcessMarker(spec.mark()));
    } catch (IOException | RuntimeException failure) {
      return new MissingAgent(new Exited(UNKNOWN_EXIT_CODE, describe(failure)), from, listener);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return new MissingAgent(
          new Exited(UNKNOWN_EXIT_CODE, "interrupted while it was looked for"), from, listener);
    }
    return switch (found) {
      case AttachResult.Alive(HostedProcess program) -> {
        HostedAgent agent = agent(spec, program, from, listener);
        if (!program.outlivesUs()) {
          agent.listen();
          agent.end(StopTimeouts.IMMEDIATE);
          yield agent;
        }
        if (from.equals(OutputCheckpoint.START)) {
          agent.greet();
        }
        agent.listen();
        yield agent;
      }
      case AttachResult.Over(HostedProcess program, var _) -> {
        HostedAgent agent = agent(spec, program, from, listener);
        agent.listen();
        yield agent;
      }
      case AttachResult.NeverStarted() ->
          new MissingAgent(new Exited(UNKNOWN_EXIT_CODE, "it was never started"), from, listener);
    };
  }

  private HostedProcess started(AttemptSpec spec) throws IOException, InterruptedException {
    if (!Files.isDirectory(spec.workspace())) {
      throw new IOException("the workspace is not a folder: " + spec.workspace());
    }
    Files.createDirectories(spec.home());
    AttemptFolder folder = AttemptFolder.create(spec.folder());
    Launch launch = launch(spec, folder);
    try {
      return host.start(launch, folder);
    } catch (LaunchFailure failure) {
      SandboxLauncher.clear(folder);
      throw failure;
    }
  }

  private Launch launch(AttemptSpec spec, AttemptFolder folder)
      throws IOException, InterruptedException {
    AgentCommand command = command(spec);
    Map<String, String> environment = AgentEnvironment.of(spec, command.environment());
    ProcessMarker mark = new ProcessMarker(spec.mark());
    SandboxedProgram program =
        new SandboxedProgram(
            folder, mark, spec.home(), spec.workspace(), environment, command.argv());
    return new Launch(
        confiner.confined(spec.confinement(), program), environment, spec.workspace(), mark);
  }

  private static String describe(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /** An agent whose program runs on this machine. */
  public interface HostedAgent extends Agent {

    /** Writes the first messages to a program that has read none. */
    void greet();

    /** Starts to read the output at the checkpoint. */
    void listen();
  }
}
