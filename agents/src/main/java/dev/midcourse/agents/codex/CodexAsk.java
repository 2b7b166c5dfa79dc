package dev.midcourse.agents.codex;

import dev.midcourse.agents.Agent.QuestionAnswer;
import dev.midcourse.agents.rpc.RpcMessage;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests of Codex to the user, and how each is answered. Codex takes no text as the answer to
 * a permission request, so a text counts as a denial.
 */
enum CodexAsk {
  COMMAND("item/commandExecution/requestApproval", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      return "Run: " + ToolSummary.first(CodexEventMapper.command(params));
    }

    @Override
    ObjectNode answer(JsonNode params, QuestionAnswer answer) {
      return decision(answer);
    }
  },

  FILES("item/fileChange/requestApproval", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      String reason = ProtocolJson.text(params, "reason");
      return "Change files" + (reason.isEmpty() ? "" : ": " + ToolSummary.first(reason));
    }

    @Override
    ObjectNode answer(JsonNode params, QuestionAnswer answer) {
      return decision(answer);
    }
  },

  PERMISSIONS("item/permissions/requestApproval", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      String reason = ProtocolJson.text(params, "reason");
      return "More permissions" + (reason.isEmpty() ? "" : ": " + ToolSummary.first(reason));
    }

    @Override
    ObjectNode answer(JsonNode params, QuestionAnswer answer) {
      ObjectNode granted = ProtocolJson.object();
      granted.set(
          "permissions",
          answer instanceof QuestionAnswer.Allow
              ? params.path("permissions")
              : ProtocolJson.object());
      return granted;
    }
  },

  ELICITATION("mcpServer/elicitation/request", AskKind.PERMISSION) {
    @Override
    String question(JsonNode params) {
      return ProtocolJson.text(params, "serverName")
          + ": "
          + ToolSummary.first(ProtocolJson.text(params, "message"));
    }

    @Override
    ObjectNode answer(JsonNode params, QuestionAnswer answer) {
      ObjectNode verdict = ProtocolJson.object();
      if (answer instanceof QuestionAnswer.Allow) {
        verdict.put("action", "accept").set("content", ProtocolJson.object());
        return verdict;
      }
      return verdict.put("action", "decline");
    }
  },

  QUESTION("item/tool/requestUserInput", AskKind.QUESTION) {
    @Override
    String question(JsonNode params) {
      return ToolSummary.first(ProtocolJson.text(params.path("questions").path(0), "question"));
    }

    // All questions get the same text, because a person sees all of them and answers once.
    @Override
    ObjectNode answer(JsonNode params, QuestionAnswer answer) {
      String words =
          switch (answer) {
            case QuestionAnswer.Allow() -> "yes";
            case QuestionAnswer.Deny(String why) -> why.isBlank() ? "no" : why;
            case QuestionAnswer.Words(String text) -> text;
          };
      ObjectNode response = ProtocolJson.object();
      ObjectNode answers = response.putObject("answers");
      for (JsonNode question : params.path("questions")) {
        answers.putObject(ProtocolJson.text(question, "id")).putArray("answers").add(words);
      }
      return response;
    }
  };

  private static final int MAX_DETAIL = 4_000;

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
        detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL));
  }

  /** Returns the part of a request that its answer needs. */
  ObjectNode kept(RpcMessage.Request request) {
    ObjectNode kept = ProtocolJson.object().put("method", method);
    for (String field : new String[] {"permissions", "questions"}) {
      if (request.params().has(field)) {
        kept.set(field, request.params().path(field));
      }
    }
    return kept;
  }

  /** Returns the answer to a request from the part that {@link #kept} returned. */
  static ObjectNode answerTo(ObjectNode kept, QuestionAnswer answer) {
    return of(ProtocolJson.text(kept, "method")).orElseThrow().answer(kept, answer);
  }

  abstract String question(JsonNode params);

  abstract ObjectNode answer(JsonNode params, QuestionAnswer answer);

  private static ObjectNode decision(QuestionAnswer answer) {
    return ProtocolJson.object()
        .put("decision", answer instanceof QuestionAnswer.Allow ? "accept" : "decline");
  }
}
