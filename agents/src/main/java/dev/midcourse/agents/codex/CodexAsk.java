package dev.midcourse.agents.codex;

import dev.midcourse.agents.rpc.RpcMessage;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.agents.stdio.RequestDetail;
import dev.midcourse.agents.stdio.ToolSummary;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.run.AskAnswer;
import java.util.Optional;
import java.util.Set;
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
      return "Run: " + ToolSummary.firstOf(CodexEventMapper.command(params));
    }

    @Override
    ObjectNode answer(JsonNode params, AskAnswer answer) {
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
    ObjectNode answer(JsonNode params, AskAnswer answer) {
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
    ObjectNode answer(JsonNode params, AskAnswer answer) {
      ObjectNode granted = ProtocolJson.object();
      granted.set(
          "permissions",
          answer instanceof AskAnswer.Allow ? params.path("permissions") : ProtocolJson.object());
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
    ObjectNode answer(JsonNode params, AskAnswer answer) {
      ObjectNode verdict = ProtocolJson.object();
      if (answer instanceof AskAnswer.Allow) {
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
    ObjectNode answer(JsonNode params, AskAnswer answer) {
      String words =
          switch (answer) {
            case AskAnswer.Allow() -> "yes";
            case AskAnswer.Deny(String why) -> why.isBlank() ? "no" : why;
            case AskAnswer.Words(String text) -> text;
          };
      ObjectNode response = ProtocolJson.object();
      ObjectNode answers = response.putObject("answers");
      for (JsonNode question : params.path("questions")) {
        answers.putObject(ProtocolJson.text(question, "id")).putArray("answers").add(words);
      }
      return response;
    }
  };

  /** The fields that name the conversation, not what is asked for. */
  private static final Set<String> HIDDEN_FIELDS =
      Set.of("threadId", "turnId", "itemId", "approvalId", "startedAtMs", "commandActions");

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

  /** Returns the question, with the changes of files that it is about. */
  AgentEvent asked(String ask, RpcMessage.Request request, JsonNode changes) {
    ObjectNode shown = ProtocolJson.object();
    request.params().propertyStream().forEach(field -> shown.set(field.getKey(), field.getValue()));
    if (!changes.isEmpty()) {
      shown.set("changes", changes);
    } else if (this == FILES) {
      shown.put("changes", "not known, because the hub was restarted since the agent named them");
    }
    return new AgentEvent.Asked(
        ask, kind, question(request.params()), RequestDetail.of(shown, HIDDEN_FIELDS));
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
  static ObjectNode answerTo(ObjectNode kept, AskAnswer answer) {
    return of(ProtocolJson.text(kept, "method")).orElseThrow().answer(kept, answer);
  }

  abstract String question(JsonNode params);

  abstract ObjectNode answer(JsonNode params, AskAnswer answer);

  private static ObjectNode decision(AskAnswer answer) {
    return ProtocolJson.object()
        .put("decision", answer instanceof AskAnswer.Allow ? "accept" : "decline");
  }
}
