package dev.midcourse.agents;

import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.HashMap;
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
 * @param conversation whether the run belongs to a conversation with people
 * @param tools the tools of Midcourse that the agent gets
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
    SandboxSpec confinement,
    boolean conversation,
    Optional<ToolServer> tools) {
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
    this(
        run,
        attempt,
        mark,
        folder,
        home,
        workspace,
        resume,
        environment,
        SandboxSpec.NONE,
        false,
        Optional.empty());
  }

  /** Returns a copy with this sandbox and these limits. */
  public AttemptSpec confined(SandboxSpec to) {
    return with(to, conversation, tools);
  }

  /** Returns a copy for a run that belongs to a conversation with people, or does not. */
  public AttemptSpec inConversation(boolean belongs) {
    return with(confinement, belongs, tools);
  }

  /** Returns a copy with these tools of Midcourse. */
  public AttemptSpec withTools(Optional<ToolServer> server) {
    return with(confinement, conversation, server);
  }

  /** Returns a copy with more variables for the agent. They replace those of the same name. */
  public AttemptSpec withEnvironment(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(more);
    return new AttemptSpec(
        run, attempt, mark, folder, home, workspace, resume, all, confinement, conversation, tools);
  }

  private AttemptSpec with(SandboxSpec sandbox, boolean inChat, Optional<ToolServer> server) {
    return new AttemptSpec(
        run, attempt, mark, folder, home, workspace, resume, environment, sandbox, inChat, server);
  }
}
