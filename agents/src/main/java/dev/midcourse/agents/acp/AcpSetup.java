package dev.midcourse.agents.acp;

import dev.midcourse.agents.rpc.RpcMessage.Failure;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.agents.stdio.Reaction;
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

  private final AcpWishes wishes;
  private final AcpMemo memo;

  AcpSetup(AcpWishes wishes, AcpMemo memo) {
    this.wishes = wishes;
    this.memo = memo;
  }

  Reaction greeted(JsonNode greeting) {
    if (!memo.session.isEmpty()) {
      return Reaction.NONE;
    }
    memo.agent = Json.text(greeting.path("agentInfo"), "name");
    memo.version = AcpFacts.version(greeting);
    memo.steering = AcpFacts.steering(greeting);
    memo.resumes = AcpFacts.resumes(greeting);
    memo.loads = AcpFacts.loads(greeting);
    memo.costKnown = wishes.resume().isEmpty();
    String workspace = wishes.workspace().toString();
    if (wishes.resume().isEmpty()) {
      return Reaction.reply(AcpCalls.newSession(workspace));
    }
    if (!memo.resumes && !memo.loads) {
      return Reaction.hopeless("it cannot go on with a session of an earlier process");
    }
    String method = memo.resumes ? "session/resume" : "session/load";
    return Reaction.reply(AcpCalls.oldSession(method, wishes.resume().get().value(), workspace));
  }

  Reaction opened(JsonNode session) {
    if (!memo.session.isEmpty()) {
      return Reaction.NONE;
    }
    memo.session =
        wishes.resume().map(SessionId::value).orElseGet(() -> Json.text(session, "sessionId"));
    memo.mode = wishes.allowAll() ? freeMode(session.path("modes")) : "";
    memo.model = wishes.model().isPresent();
    if (memo.model && !offersModels(session)) {
      return Reaction.hopeless("it offers no choice of model");
    }
    return next(session);
  }

  private static String freeMode(JsonNode modes) {
    return modes
        .path("availableModes")
        .valueStream()
        .map(mode -> Json.text(mode, "id"))
        .filter(FREE_MODES::contains)
        .filter(id -> !id.equals(Json.text(modes, "currentModeId")))
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
        .filter(option -> Json.text(option, "category").equals("model"))
        .map(option -> Json.text(option, "id"))
        .findFirst();
  }

  /** Model first: only the answer that opened the session says how it is told. */
  private Reaction next(JsonNode session) {
    if (memo.model) {
      String model = wishes.model().orElseThrow();
      return Reaction.reply(
          modelOption(session)
              .map(option -> AcpCalls.option(memo.session, option, model))
              .orElseGet(() -> AcpCalls.model(memo.session, model)));
    }
    return modeOrStart();
  }

  Reaction modelSet() {
    memo.model = false;
    return modeOrStart();
  }

  private Reaction modeOrStart() {
    return memo.mode.isEmpty() ? started() : Reaction.reply(AcpCalls.mode(memo.session, memo.mode));
  }

  Reaction modeSet() {
    memo.mode = "";
    return started();
  }

  private Reaction started() {
    if (memo.started) {
      return Reaction.NONE;
    }
    memo.started = true;
    return Reaction.of(
        new AgentEvent.Started(
            memo.version, AcpFacts.of(memo), wishes.resume().filter(_ -> resumed())));
  }

  private boolean resumed() {
    memo.named = true;
    return true;
  }

  /** Refused: the sentence for people. */
  Reaction refused(String what, Failure failure) {
    return memo.started ? Reaction.NONE : Reaction.hopeless(what + ": " + words(failure));
  }

  /** What an agent says of a failure; some put the reason beside the message. */
  static String words(Failure failure) {
    JsonNode data = failure.data();
    String details =
        data.isString()
            ? data.asString()
            : Json.text(data, data.has("details") ? "details" : "message");
    return details.isEmpty() || failure.message().contains(details)
        ? failure.message()
        : failure.message() + ": " + details;
  }
}
