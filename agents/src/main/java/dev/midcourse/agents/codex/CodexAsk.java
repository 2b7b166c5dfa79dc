package dev.midcourse.agents.codex;

import dev.midcourse.agents.Agent.Answer;
import dev.midcourse.agents.rpc.RpcMessage;
import dev.midcourse.agents.stdio.Json;
import dev.midcourse.agents.stdio.ToolLine;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Codex may ask, and how each is answered. Codex takes a yes or a no to a permission and no
 * words, so words instead of a yes are a no.
 */
enum CodexAsk {
  COMMAND("item/commandExecution/requestApproval", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      return "Run: " + ToolLine.first(CodexTalk.command(params));
    }

    @Override
    ObjectNode answer(JsonNode params, Answer answer) {
      return decision(answer);
    }
  },

  FILES("item/fileChange/requestApproval", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      String reason = Json.text(params, "reason");
      return "Change files" + (reason.isEmpty() ? "" : ": " + ToolLine.first(reason));
    }

    @Override
    ObjectNode answer(JsonNode params, Answer answer) {
      return decision(answer);
    }
  },

  PERMISSIONS("item/permissions/requestApproval", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      String reason = Json.text(params, "reason");
      return "More permissions" + (reason.isEmpty() ? "" : ": " + ToolLine.first(reason));
    }

    @Override
    ObjectNode answer(JsonNode params, Answer answer) {
      ObjectNode granted = Json.object();
      granted.set(
          "permissions",
          answer instanceof Answer.Allow ? params.path("permissions") : Json.object());
      return granted;
    }
  },

  ELICITATION("mcpServer/elicitation/request", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      return Json.text(params, "serverName") + ": " + ToolLine.first(Json.text(params, "message"));
    }

    @Override
    ObjectNode answer(JsonNode params, Answer answer) {
      ObjectNode verdict = Json.object();
      if (answer instanceof Answer.Allow) {
        verdict.put("action", "accept").set("content", Json.object());
        return verdict;
      }
      return verdict.put("action", "decline");
    }
  },

  QUESTION("item/tool/requestUserInput", AskKind.QUESTION) {
    @Override
    String question(JsonNode params) {
      return ToolLine.first(Json.text(params.path("questions").path(0), "question"));
    }

    // The same words for every question: a person sees all of them and answers once.
    @Override
    ObjectNode answer(JsonNode params, Answer answer) {
      String words =
          switch (answer) {
            case Answer.Allow() -> "yes";
            case Answer.Deny(String why) -> why.isBlank() ? "no" : why;
            case Answer.Words(String text) -> text;
          };
      ObjectNode response = Json.object();
      ObjectNode answers = response.putObject("answers");
      for (JsonNode question : params.path("questions")) {
        answers.putObject(Json.text(question, "id")).putArray("answers").add(words);
      }
      return response;
    }
  };

  private static final int LONGEST_DETAIL = 4_000;

  private final String method;
  private final AskKind kind;

  CodexAsk(String method, AskKind kind) {
    this.method = method;
    this.kind = kind;
  }

  static Optional<CodexAsk> of(String method) {
    for (CodexAsk ask : values()) {
      if (ask.method.equals(method)) {
        return Optional.of(ask);
      }
    }
    return Optional.empty();
  }

  AgentEvent asked(String ask, RpcMessage.Request request) {
    String detail = request.params().toString();
    return new AgentEvent.Asked(
        ask,
        kind,
        question(request.params()),
        detail.length() <= LONGEST_DETAIL ? detail : detail.substring(0, LONGEST_DETAIL));
  }

  /** What has to be kept of a request to answer it. */
  ObjectNode kept(RpcMessage.Request request) {
    ObjectNode kept = Json.object().put("method", method);
    for (String field : new String[] {"permissions", "questions"}) {
      if (request.params().has(field)) {
        kept.set(field, request.params().path(field));
      }
    }
    return kept;
  }

  /** The answer to a request of which this was kept. */
  static ObjectNode answerTo(ObjectNode kept, Answer answer) {
    return of(Json.text(kept, "method")).orElseThrow().answer(kept, answer);
  }

  abstract String question(JsonNode params);

  abstract ObjectNode answer(JsonNode params, Answer answer);

  private static ObjectNode decision(Answer answer) {
    return Json.object().put("decision", answer instanceof Answer.Allow ? "accept" : "decline");
  }
}
