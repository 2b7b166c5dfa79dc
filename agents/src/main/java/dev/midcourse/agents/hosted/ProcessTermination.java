package dev.midcourse.agents.hosted;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.process.HostedProcess;
import dev.midcourse.agents.process.attempt.ProcessExit;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.process.tree.TreeKillResult;
import dev.midcourse.agents.sandbox.SandboxLauncher;
import dev.midcourse.core.agent.AgentEvent;
import java.io.IOException;

/** How hosted programs end, by us or by themselves, in the words of the engine. */
public final class ProcessTermination {
  private ProcessTermination() {}

  /**
   * Ends the program and everything it started; when this returns nothing of it is alive, and its
   * container, if it was in one, is gone.
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

  /** What is told of a program that has left: its status and its last words. */
  public static AgentEvent.Exited exited(HostedProcess program, ProcessExit exit) {
    int code =
        switch (exit) {
          case ProcessExit.Status(int status) -> status;
          case ProcessExit.Vanished() -> -1;
        };
    return new AgentEvent.Exited(code, StderrTail.of(program.folder()));
  }
}
