package dev.midcourse.agents;

import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The data that a driver needs to start an attempt or to attach to it again.
 *
 * @param mark an unpredictable token in the environment of every process of the attempt
 * @param folder the attempt's own folder: input, output, exit status
 * @param home the worker's own home folder, kept between its runs
 * @param workspace where the agent works
 * @param resume session to resume
 * @param environment the variables that the settings add to the agent's environment
 * @param confinement the sandbox and the limits of the program
 */
public record AttemptSpec(
    RunId run,
    int attempt,
    String mark,
    Path folder,
    Path home,
    Path workspace,
    Optional<SessionId> resume,
    Map<String, String> environment,
    SandboxSpec confinement) {
  /** The environment variable that holds the name of the worker. */
  public static final String WORKER = "MIDCOURSE_WORKER";

  public AttemptSpec {
    environment = Map.copyOf(environment);
  }

  public AttemptSpec(
      RunId run,
      int attempt,
      String mark,
      Path folder,
      Path home,
      Path workspace,
      Optional<SessionId> resume,
      Map<String, String> environment) {
    this(run, attempt, mark, folder, home, workspace, resume, environment, SandboxSpec.NONE);
  }

  /** Returns a copy with this sandbox and these limits. */
  public AttemptSpec confined(SandboxSpec to) {
    return new AttemptSpec(run, attempt, mark, folder, home, workspace, resume, environment, to);
  }
}
