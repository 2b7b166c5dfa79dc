package dev.midcourse.agents.acp;

import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ProtocolOutput;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SessionId;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The way from the first word to a conversation that is ready: who are you, a session, its mode,
 * its model. Whatever of it the agent refuses makes it of no use, and is told in its own words.
 */
final class AcpSetup {
  /** What agents call the mode in which they ask for nothing. */
  private static final List<String> FREE_MODES =
      List.of("bypassPermissions", "agent-full-access", "yolo");

  private final AcpSessionOptions wishes;
  private final AcpMemo memo;

  AcpSetup(AcpSessionOptions wishes, AcpMemo memo) {
    this.wishes = wishes;
    this.memo = memo;
  }

  ProtocolOutput greeted(JsonNode greeting) {
    if (!memo.session.isEmpty()) {
      return ProtocolOutput.NONE;
    }
    memo.agent = ProtocolJson.text(greeting.path("agentInfo"), "name");
    memo.version = AcpCapabilities.version(greeting);
    memo.steering = AcpCapabilities.steering(greeting);
    memo.resumes = AcpCapabilities.resumes(greeting);
    memo.loads = AcpCapabilities.loads(greeting);
    memo.costKnown = wishes.resume().isEmpty();
    String workspace = wishes.workspace().toString();
    if (wishes.resume().isEmpty()) {
      return ProtocolOutput.reply(AcpRequests.newSession(workspace));
    }
    if (!memo.resumes && !memo.loads) {
      return ProtocolOutput.fatal("it cannot go on with a session of an earlier process");
    }
    String method = memo.resumes ? "session/resume" : "session/load";
    return ProtocolOutput.reply(
        AcpRequests.oldSession(method, wishes.resume().get().value(), workspace));
  }

  ProtocolOutput opened(JsonNode session) {
    if (!memo.session.isEmpty()) {
      return ProtocolOutput.NONE;
    }
    memo.session =
        wishes
            .resume()
            .map(SessionId::value)
            .orElseGet(() -> ProtocolJson.text(session, "sessionId"));
    memo.mode = wishes.allowAll() ? freeMode(session.path("modes")) : "";
    memo.model = wishes.model().isPresent();
    if (memo.model && !offersModels(session)) {
      return ProtocolOutput.fatal("it offers no choice of model");
    }
    return next(session);
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

  private static boolean offersModels(JsonNode session) {
    return modelOption(session).isPresent() || session.has("models");
  }

  private static Optional<String> modelOption(JsonNode session) {
    return session
        .path("configOptions")
        .valueStream()
        .filter(option -> ProtocolJson.text(option, "category").equals("model"))
        .map(option -> ProtocolJson.text(option, "id"))
        .findFirst();
  }

  /** Model first: only the answer that opened the session says how it is told. */
  private ProtocolOutput next(JsonNode session) {
    if (memo.model) {
      String model = wishes.model().orElseThrow();
      return ProtocolOutput.reply(
          modelOption(session)
              .map(option -> AcpRequests.option(memo.session, option, model))
              .orElseGet(() -> AcpRequests.model(memo.session, model)));
    }
    return modeOrStart();
  }

  ProtocolOutput modelSet() {
    memo.model = false;
    return modeOrStart();
  }

  private ProtocolOutput modeOrStart() {
    return memo.mode.isEmpty()
        ? started()
        : ProtocolOutput.reply(AcpRequests.mode(memo.session, memo.mode));
  }

  ProtocolOutput modeSet() {
    memo.mode = "";
    return started();
  }

  private ProtocolOutput started() {
    if (memo.started) {
      return ProtocolOutput.NONE;
    }
    memo.started = true;
    return ProtocolOutput.of(
        new AgentEvent.Started(
            memo.version, AcpCapabilities.of(memo), wishes.resume().filter(_ -> resumed())));
  }

  private boolean resumed() {
    memo.named = true;
    return true;
  }

  /** Refused: the sentence for people. */
  ProtocolOutput refused(String what, Failure failure) {
    return memo.started ? ProtocolOutput.NONE : ProtocolOutput.fatal(what + ": " + words(failure));
  }

  /** What an agent says of a failure; some put the reason beside the message. */
  static String words(Failure failure) {
    JsonNode data = failure.data();
    String details =
        data.isString()
            ? data.asString()
            : ProtocolJson.text(data, data.has("details") ? "details" : "message");
    return details.isEmpty() || failure.message().contains(details)
        ? failure.message()
        : failure.message() + ": " + details;
  }
}
