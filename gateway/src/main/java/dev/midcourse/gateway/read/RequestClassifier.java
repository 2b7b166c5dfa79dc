package dev.midcourse.gateway.read;

import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.gateway.http.MessageHead;
import java.util.List;
import java.util.Optional;

/**
 * Decides what a request is for. Claude Code, Codex and Copilot say so in headers. For other
 * agents, a request that offers tools is a main request, because their titles and summaries offer
 * none.
 */
final class RequestClassifier {
  private static final String CLAUDE_CLASS = "x-claude-code-request-class";
  private static final String CODEX_TURN = "x-codex-turn-metadata";

  private RequestClassifier() {}

  static Classification classify(Wire wire, MessageHead head, Obj body) {
    return claude(head)
        .or(() -> codex(head))
        .or(() -> copilot(head))
        .or(() -> openCode(head))
        .orElseGet(() -> byShape(wire, body));
  }

  private static Optional<Classification> claude(MessageHead head) {
    return head.value(CLAUDE_CLASS)
        .map(name ->
            switch (name) {
              case "main" -> RequestClass.MAIN;
              case "subagent", "workflow" -> RequestClass.SUB_AGENT;
              case "compaction" -> RequestClass.COMPACTION;
              default -> RequestClass.SIDE;
            })
        .map(Classification::said);
  }

  private static Optional<Classification> codex(MessageHead head) {
    return head.value(CODEX_TURN).flatMap(RequestClassifier::object).map(it -> codex(head, it));
  }

  private static Classification codex(MessageHead head, Obj turn) {
    boolean child =
        head.value("x-openai-subagent").isPresent()
            || head.value("x-codex-parent-thread-id").isPresent()
            || !turn.string("agent_name").orElse("/root").equals("/root");
    return Classification.said(
        switch (turn.string("request_kind").orElse("turn")) {
          case "turn" -> child ? RequestClass.SUB_AGENT : RequestClass.MAIN;
          case "compaction" -> RequestClass.COMPACTION;
          default -> RequestClass.SIDE;
        });
  }

  private static Optional<Classification> copilot(MessageHead head) {
    return head.value("x-interaction-type")
        .flatMap(type ->
            switch (type) {
              case "conversation-compaction" -> Optional.of(RequestClass.COMPACTION);
              case "conversation-subagent" -> Optional.of(RequestClass.SUB_AGENT);
              default -> Optional.empty();
            })
        .map(Classification::said);
  }

  private static Optional<Classification> openCode(MessageHead head) {
    return head.value("x-parent-session-id").map(_ -> Classification.said(RequestClass.SUB_AGENT));
  }

  private static Classification byShape(Wire wire, Obj body) {
    if (wire == Wire.ANTHROPIC) {
      if (isClaudeSubAgent(body)) {
        return Classification.said(RequestClass.SUB_AGENT);
      }
      String last = lastText(body);
      if (last.startsWith("CRITICAL: Respond with TEXT ONLY")) {
        return Classification.concluded(RequestClass.COMPACTION);
      }
      if (last.startsWith("[SUGGESTION MODE:")) {
        return Classification.concluded(RequestClass.SIDE);
      }
    }
    if (wire == Wire.RESPONSES && endsWithTrigger(body)) {
      return Classification.concluded(RequestClass.COMPACTION);
    }
    Obj inner = wire == Wire.GEMINI ? UserTexts.geminiRequest(body) : body;
    return Classification.concluded(
        inner.objects("tools").isEmpty() ? RequestClass.SIDE : RequestClass.MAIN);
  }

  private static boolean isClaudeSubAgent(Obj body) {
    List<Obj> system = body.objects("system");
    return !system.isEmpty()
        && system.getFirst().string("text").orElse("").contains("cc_is_subagent=true");
  }

  private static String lastText(Obj body) {
    List<Obj> messages = body.objects("messages");
    if (messages.isEmpty()) {
      return "";
    }
    Obj last = messages.getLast();
    List<Obj> blocks = last.objects("content");
    return last.string("content")
        .or(() -> blocks.isEmpty() ? Optional.empty() : blocks.getLast().string("text"))
        .orElse("");
  }

  private static boolean endsWithTrigger(Obj body) {
    List<Obj> input = body.objects("input");
    return !input.isEmpty()
        && input.getLast().string("type").orElse("").equals("compaction_trigger");
  }

  static Optional<Obj> object(String json) {
    try {
      return Optional.of(JsonReader.readObject(json));
    } catch (JsonException invalid) {
      return Optional.empty();
    }
  }

  /** Returns the agent's own id of the conversation. */
  static Optional<String> session(MessageHead head) {
    return head.value("x-claude-code-session-id")
        .or(() -> codexField(head, "thread_id"))
        .or(() -> head.value("x-session-id"))
        .or(() -> head.value("session_id"));
  }

  /** Returns the agent's own id of the turn. */
  static Optional<String> turn(MessageHead head) {
    return head.value("x-claude-code-prompt-id").or(() -> codexField(head, "turn_id"));
  }

  /** Returns whether the agent says that this is the first request after a compaction. */
  static boolean isAfterCompaction(MessageHead head) {
    return head.value("x-claude-code-context-compacted").isPresent();
  }

  private static Optional<String> codexField(MessageHead head, String field) {
    return head.value(CODEX_TURN)
        .flatMap(RequestClassifier::object)
        .flatMap(turn -> turn.text(field));
  }

  /** Returns whether the body holds only what is new since an earlier request. */
  static boolean isPartial(Obj body) {
    return body.string("previous_response_id").isPresent()
        || body.object("thread").string("type").orElse("").equals("continue");
  }
}
