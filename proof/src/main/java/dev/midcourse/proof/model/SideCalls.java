package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.Message;
import dev.midcourse.proof.model.wire.ModelRequest;

/**
 * Recognizes the calls that an agent makes beside the conversation: a title for the session, a
 * suggestion, a check of the model's name. They offer no tools, take no step of the script and get
 * a plain answer.
 */
final class SideCalls {
  private SideCalls() {}

  static boolean isOne(ModelRequest request) {
    return request.tools().isEmpty() || isSuggestion(request);
  }

  private static boolean isSuggestion(ModelRequest request) {
    var conversation = request.conversation();
    return !conversation.isEmpty()
        && conversation.getLast().role() == Message.Role.USER
        && conversation.getLast().text().startsWith("[SUGGESTION MODE:");
  }

  static Step answer(ModelRequest request) {
    return Step.say(
        request
            .answerSchema()
            .map(schema -> SchemaExample.object(schema).toString())
            .orElse("Scripted session"));
  }
}
