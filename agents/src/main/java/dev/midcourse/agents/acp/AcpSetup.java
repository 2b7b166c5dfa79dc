package dev.midcourse.agents.acp;

import dev.midcourse.agents.ToolServer;
import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Sets a conversation up: {@code initialize}, the session, its model and its mode. If the agent
 * refuses one of these requests, the agent is unusable and the refusal is reported in the agent's
 * own text.
 */
final class AcpSetup {
  /** The ids of the modes in which agents ask for no permission. */
  private static final List<String> FREE_MODES =
      List.of("bypassPermissions", "agent-full-access", "yolo");

  private final SessionOptions options;
  private AcpMemo.Greeting greeting;
  private AcpMemo.Conversation session;

  AcpSetup(SessionOptions options, AcpMemo memo) {
    this.options = options;
    this.greeting = memo.greeting();
    this.session = memo.conversation();
  }

  AcpMemo.Greeting greeting() {
    return greeting;
  }

  AcpMemo.Conversation session() {
    return session;
  }

  /** Reports the session id once, when the session can be resumed. */
  List<AgentEvent> named() {
    if (session.named()) {
      return List.of();
    }
    session = session.asNamed();
    return List.of(new AgentEvent.SessionNamed(SessionId.of(session.id())));
  }

  ProtocolOutput greeted(JsonNode answer) {
    if (!session.id().isEmpty()) {
      return ProtocolOutput.NONE;
    }
    greeting =
        new AcpMemo.Greeting(
            ProtocolJson.text(answer.path("agentInfo"), "name"),
            AcpCapabilities.version(answer),
            AcpCapabilities.steering(answer),
            AcpCapabilities.resumes(answer),
            AcpCapabilities.loads(answer));
    String workspace = options.workspace().toString();
    if (options.resume().isEmpty()) {
      return ProtocolOutput.reply(AcpRequests.newSession(workspace, options.tools()));
    }
    if (!greeting.resumes() && !greeting.loads()) {
      return ProtocolOutput.fatal("it cannot go on with a session of an earlier process");
    }
    String method = greeting.resumes() ? "session/resume" : "session/load";
    return ProtocolOutput.reply(
        AcpRequests.oldSession(method, options.resume().get().value(), workspace, options.tools()));
  }

  ProtocolOutput opened(JsonNode answer) {
    if (!session.id().isEmpty()) {
      return ProtocolOutput.NONE;
    }
    session =
        new AcpMemo.Conversation(
            options
                .resume()
                .map(SessionId::value)
                .orElseGet(() -> ProtocolJson.text(answer, "sessionId")),
            options.allowAll() ? freeMode(answer.path("modes")) : "",
            options.model().isPresent(),
            session.started(),
            session.named());
    if (session.model() && !offersModels(answer)) {
      return ProtocolOutput.fatal("it offers no choice of model");
    }
    return next(answer);
  }

  private static String freeMode(JsonNode modes) {
    return modes
        .path("availableModes")
        .valueStream()
        .map(mode -> ProtocolJson.text(mode, "id"))
        .filter(FREE_MODES::contains)
        .filter(id -> !id.equals(ProtocolJson.text(modes, "currentModeId")))
        .findFirst()
        .orElse("");
  }

  private static boolean offersModels(JsonNode opened) {
    return modelOption(opened).isPresent() || opened.has("models");
  }

  private static Optional<String> modelOption(JsonNode opened) {
    return opened
        .path("configOptions")
        .valueStream()
        .filter(option -> ProtocolJson.text(option, "category").equals("model"))
        .map(option -> ProtocolJson.text(option, "id"))
        .findFirst();
  }

  /**
   * Sets the model before the mode, because only the answer that opened the session names the
   * option for the model.
   */
  private ProtocolOutput next(JsonNode opened) {
    if (session.model()) {
      String model = options.model().orElseThrow();
      return ProtocolOutput.reply(
          modelOption(opened)
              .map(option -> AcpRequests.option(session.id(), option, model))
              .orElseGet(() -> AcpRequests.model(session.id(), model)));
    }
    return modeOrStart();
  }

  ProtocolOutput modelSet() {
    session = session.withModelSet();
    return modeOrStart();
  }

  private ProtocolOutput modeOrStart() {
    return session.mode().isEmpty()
        ? started()
        : ProtocolOutput.reply(AcpRequests.mode(session.id(), session.mode()));
  }

  ProtocolOutput modeSet() {
    session = session.withModeSet();
    return started();
  }

  private ProtocolOutput started() {
    if (session.started()) {
      return ProtocolOutput.NONE;
    }
    session = session.asStarted();
    if (options.resume().isPresent()) {
      session = session.asNamed();
    }
    return ProtocolOutput.of(
        new AgentEvent.Started(greeting.version(), AcpCapabilities.of(greeting), options.resume()));
  }

  /** Ends the program with a description of the refusal, unless the conversation is ready. */
  ProtocolOutput refused(String what, Failure failure) {
    return session.started()
        ? ProtocolOutput.NONE
        : ProtocolOutput.fatal(what + ": " + describe(failure));
  }

  /** Describes a failure. Some agents put the reason in {@code data} and not in the message. */
  static String describe(Failure failure) {
    JsonNode data = failure.data();
    String details =
        data.isString()
            ? data.asString()
            : ProtocolJson.text(data, data.has("details") ? "details" : "message");
    return details.isEmpty() || failure.message().contains(details)
        ? failure.message()
        : failure.message() + ": " + details;
  }

  /**
   * The options of a session.
   *
   * @param attempt the attempt that the session is part of
   * @param workspace the folder in which the agent works
   * @param resume the session to continue
   * @param allowAll whether the agent may do everything without asking
   * @param model the model that the agent is told to use
   * @param tools the tools of Midcourse that the agent gets
   */
  record SessionOptions(
      int attempt,
      Path workspace,
      Optional<SessionId> resume,
      boolean allowAll,
      Optional<String> model,
      Optional<ToolServer> tools) {}
}
