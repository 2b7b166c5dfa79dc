package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.process.tree.TreeKillResult;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.core.agent.AgentEvent;
import java.io.IOException;
import java.nio.file.Files;

/** Ends hosted programs, and describes their exit. */
public final class ProcessTermination {
  private ProcessTermination() {}

  /**
   * Ends the program and every process that it started. When this method returns, no process of the
   * program is alive, and its container, if any, is removed.
   */
  public static Agent.StopResult end(HostedProcess program, StopTimeouts timeouts, Runnable ask) {
    try {
      TreeKillResult ending = program.tree().end(timeouts, ask);
      return switch (ending) {
        case TreeKillResult.Ended ended -> {
          SandboxLauncher.clear(program.folder());
          yield new Agent.StopResult(ended.processes(), ended.byTerm(), ended.byKill());
        }
        case TreeKillResult.Survived survived ->
            throw new IllegalStateException("still alive: " + survived.survivors());
      };
    } catch (IOException left) {
      throw new IllegalStateException(left.getMessage(), left);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while it was ended", asked);
    }
  }

  /**
   * A shell exits with these when a program, or its interpreter, is missing or not executable.
   * Every further attempt would end in the same way.
   */
  private static boolean isUnstartable(int code) {
    return code == 126 || code == 127;
  }

  private static boolean hasOutput(HostedProcess program) {
    try {
      return Files.size(program.folder().output(OutputFile.OUT)) > 0;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Describes the exit of a program: its exit status and the end of its standard error. */
  public static AgentEvent.Exited exited(HostedProcess program, ProcessExit exit) {
    int code =
        switch (exit) {
          case ProcessExit.Status(int status) -> status;
          case ProcessExit.Vanished() -> -1;
        };
    return new AgentEvent.Exited(
        code, StderrTail.of(program.folder()), isUnstartable(code) && !hasOutput(program));
  }
}
