package dev.midcourse.gateway.read;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The texts of a request in which an agent puts the words of its user. Words of the model, calls of
 * tools and their results, instructions and summaries are left out, because they may quote a steer.
 */
final class UserTexts {
  private static final List<String> NOT_OF_THE_USER =
      List.of(
          // Claude Code, pi: a summary of the conversation that a model wrote.
          "This session is being continued from a previous conversation",
          "The conversation history before this point was compacted",
          // Codex: files and facts of the workspace.
          "<environment_context>",
          "<user_instructions>",
          "# AGENTS.md instructions",
          // Copilot: earlier messages as quotes, after a compaction.
          "<conversation_summary>",
          "<summary>");

  private UserTexts() {}

  /**
   * One text.
   *
   * @param place where it stands
   */
  record UserText(String text, SteerPlace place) {}

  static List<UserText> of(Wire wire, Obj body) {
    List<UserText> texts = new ArrayList<>();
    switch (wire) {
      case ANTHROPIC -> body.objects("messages").forEach(message -> anthropic(message, texts));
      case CHAT -> body.objects("messages").forEach(message -> user(message, texts));
      case RESPONSES -> {
        body.string("input").ifPresent(text -> add(text, SteerPlace.MESSAGE, texts));
        body.objects("input").stream()
            .filter(item -> item.string("type").orElse("message").equals("message"))
            .forEach(item -> user(item, texts));
      }
      case GEMINI ->
          geminiRequest(body).objects("contents").stream()
              .filter(it -> it.string("role").orElse("user").equals("user"))
              .flatMap(it -> it.objects("parts").stream())
              .forEach(part -> text(part).ifPresent(it -> add(it, SteerPlace.MESSAGE, texts)));
      case OTHER -> {}
    }
    return texts;
  }

  /** With a login, the request is inside another object. */
  static Obj geminiRequest(Obj body) {
    return body.get("request").isPresent() ? body.object("request") : body;
  }

  private static void anthropic(Obj message, List<UserText> texts) {
    switch (message.string("role").orElse("")) {
      case "user" -> {
        user(message, texts);
        message.objects("content").stream()
            .filter(block -> isOfType(block, "tool_result"))
            .forEach(block -> contents(block, SteerPlace.TOOL_RESULT, texts));
      }
      case "system" -> contents(message, SteerPlace.REMINDER, texts);
      default -> {}
    }
  }

  private static void user(Obj message, List<UserText> texts) {
    if (message.string("role").orElse("").equals("user")) {
      contents(message, SteerPlace.MESSAGE, texts);
    }
  }

  private static void contents(Obj message, SteerPlace place, List<UserText> texts) {
    message.string("content").ifPresent(text -> add(text, place, texts));
    message.objects("content").stream()
        .filter(block -> isOfType(block, "text") || isOfType(block, "input_text"))
        .forEach(block -> text(block).ifPresent(text -> add(text, place, texts)));
  }

  private static boolean isOfType(Obj block, String type) {
    return block.string("type").orElse("").equals(type);
  }

  private static Optional<String> text(Obj block) {
    return block.get("text").map(it -> it instanceof JsonValue.Str(String text) ? text : "");
  }

  private static void add(String text, SteerPlace place, List<UserText> texts) {
    if (NOT_OF_THE_USER.stream().noneMatch(text.stripLeading()::startsWith)) {
      texts.add(new UserText(text, place));
    }
  }
}
