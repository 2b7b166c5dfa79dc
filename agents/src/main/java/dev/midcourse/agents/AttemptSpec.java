package dev.midcourse.agents;

import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a driver needs to start an attempt, or to find it again.
 *
 * @param mark an unpredictable token in the environment of every process of the attempt
 * @param folder the attempt's own folder: input, output, exit status
 * @param home the worker's own home folder, kept between its runs
 * @param workspace where the agent works
 * @param resume session to resume
 * @param environment what the settings add to the agent's environment
 * @param confinement what the program is held to
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
  /** In the environment: whose work it is. */
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

  /** The same, held to this. */
  public AttemptSpec confined(SandboxSpec to) {
    return new AttemptSpec(run, attempt, mark, folder, home, workspace, resume, environment, to);
  }
}
