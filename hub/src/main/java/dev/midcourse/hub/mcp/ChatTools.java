package dev.midcourse.hub.mcp;

import static dev.midcourse.hub.mcp.McpTools.number;
import static dev.midcourse.hub.mcp.McpTools.schema;
import static dev.midcourse.hub.mcp.McpTools.text;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import dev.midcourse.engine.conversation.tools.FileRequest;
import dev.midcourse.engine.conversation.tools.QuestionRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The MCP tools of an agent that takes part in a conversation: they translate arguments and results
 * of {@link AgentChatOperations}.
 */
final class ChatTools {
  /** What an agent of a conversation is told about its tools. */
  static final String INSTRUCTIONS =
      "You answer people in a chat. The last text of your turn is sent to them by itself, so do not"
          + " send the same with send_message. Use send_message for something that should arrive"
          + " before you have finished, send_file for a file, ask_user_question for a decision.";

  private static final String TO =
      "the name or id of another chat of yours; without it the chat that you answer";

  private final AgentChatOperations operations;

  ChatTools(AgentChatOperations operations) {
    this.operations = operations;
  }

  /** The answer to a question; without an answer if nobody answered in time. */
  private record Answer(boolean answered, Optional<String> answer, Optional<String> by) {
    static Answer of(ChatQuestion question) {
      return new Answer(
          question.answer().isPresent(),
          question.answer().map(ChatQuestion.Answer::label),
          question.answer().map(ChatQuestion.Answer::by));
    }
  }

  private record Reacted(long messageId, MessageStatus status) {}

  List<McpTool> all() {
    return List.of(
        new McpTool(
            "send_message",
            "Send a message to the people of your chat now, before your turn ends. The result has"
                + " the id for edit_message. Your final answer is sent without this tool.",
            schema(
                List.of("text"),
                "text",
                text(
                    "the message in Markdown; text between <internal> and </internal> is left out"),
                "to",
                text(TO)),
            this::sendMessage),
        new McpTool(
            "send_file",
            "Send a file of your workspace to the people of your chat, as it is now.",
            schema(
                List.of("path"),
                "path",
                text("a regular file in your workspace, at most 50 MiB; links are not followed"),
                "caption",
                text("a text that is shown with the file"),
                "name",
                text("the name that people see; without it that of the file"),
                "to",
                text(TO)),
            this::sendFile),
        new McpTool(
            "edit_message",
            "Replace the text of a message that you sent with send_message.",
            schema(
                List.of("message_id", "text"),
                "message_id",
                text("the id that send_message gave"),
                "text",
                text("the new text in Markdown")),
            this::editMessage),
        new McpTool(
            "add_reaction",
            "Show on a message of a person how far you are with it. There is one reaction of yours"
                + " on a message; the end of your turn sets it to done.",
            schema(
                List.of("message_id", "status"),
                "message_id",
                number("the id of the message in your prompt: <message id=\"12\">"),
                "status",
                statuses()),
            this::addReaction),
        new McpTool(
            "ask_user_question",
            "Ask the person whose message you work on, with fixed answers, and wait. Admins and"
                + " owners may answer too. If the call fails or ends early, ask the same again: you"
                + " get the answer that was given in between. To ask anew, use other words.",
            schema(
                List.of("title", "question", "options"),
                "title",
                text("a few words; at most 100 characters"),
                "question",
                text("the question; at most 3000 characters"),
                "options",
                JsonValue.object()
                    .with("type", "array")
                    .with("items", text("an answer; at most 60 characters"))
                    .with("minItems", 1)
                    .with("maxItems", QuestionRequest.MAX_OPTIONS)
                    .with("description", "1 to 10 different answers"),
                "timeout_seconds",
                number("maximum time to wait, 1 to 3600; default 300")),
            this::ask));
  }

  private Object sendMessage(Caller caller, ObjectReader inputs) {
    Optional<String> text = inputs.required("text");
    Optional<String> to = inputs.optional("to");
    inputs.finish();
    return operations.sendMessage(caller, text.orElseThrow(), to);
  }

  private Object sendFile(Caller caller, ObjectReader inputs) {
    Optional<String> path = inputs.required("path");
    Optional<String> caption = inputs.optional("caption", ObjectReader::notBlank);
    Optional<String> name = inputs.optional("name", ObjectReader::notBlank);
    Optional<String> to = inputs.optional("to");
    inputs.finish();
    return operations.sendFile(caller, new FileRequest(path.orElseThrow(), caption, name), to);
  }

  private Object editMessage(Caller caller, ObjectReader inputs) {
    Optional<OutboundId> message = inputs.required("message_id", OutboundId::of);
    Optional<String> text = inputs.required("text");
    inputs.finish();
    return operations.editMessage(caller, message.orElseThrow(), text.orElseThrow());
  }

  private Object addReaction(Caller caller, ObjectReader inputs) {
    Optional<Long> message = messageNumber(inputs);
    Optional<MessageStatus> status = inputs.required("status", MessageStatus.class);
    inputs.finish();
    operations.addReaction(caller, message.orElseThrow(), status.orElseThrow());
    return new Reacted(message.orElseThrow(), status.orElseThrow());
  }

  /** The prompt shows the number as text, so a model may write it as text. */
  private static Optional<Long> messageNumber(ObjectReader inputs) {
    Optional<JsonValue> written = inputs.requiredValue("message_id");
    Optional<Long> number =
        written
            .map(value ->
                switch (value) {
                  case JsonValue.Num(String literal) -> literal;
                  case JsonValue.Str(String text) -> text.strip();
                  case JsonValue.Obj _, JsonValue.Arr _, JsonValue.Bool _, JsonValue.Null _ -> "";
                })
            .filter(text -> text.matches("[0-9]{1,18}"))
            .map(Long::valueOf);
    if (written.isPresent() && number.isEmpty()) {
      inputs.report("message_id", "the number of a message");
    }
    return number;
  }

  private Object ask(Caller caller, ObjectReader inputs) throws InterruptedException {
    Optional<String> title = inputs.required("title");
    Optional<String> question = inputs.required("question");
    Optional<List<String>> options = inputs.requiredStrings("options");
    Duration atMost =
        inputs
            .optionalNumber("timeout_seconds", 1, QuestionRequest.MAX_WAIT.toSeconds())
            .map(Duration::ofSeconds)
            .orElse(QuestionRequest.DEFAULT_WAIT);
    inputs.finish();
    return Answer.of(
        operations.ask(
            caller,
            new QuestionRequest(
                title.orElseThrow(), question.orElseThrow(), options.orElseThrow(), atMost)));
  }

  private static JsonValue statuses() {
    return JsonValue.object()
        .with("type", "string")
        .with(
            "enum",
            JsonValue.strings(
                MessageStatus.OF_AGENT.stream().sorted().map(MessageStatus::wire).toList()))
        .with("description", "how far you are");
  }
}
