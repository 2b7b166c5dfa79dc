package dev.midcourse.hub.mcp;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.id.RunId;
import dev.midcourse.engine.conversation.tools.AgentMessages;
import dev.midcourse.engine.conversation.tools.FileRequest;
import dev.midcourse.engine.conversation.tools.QuestionRequest;
import dev.midcourse.engine.conversation.tools.QueuedMessage;
import dev.midcourse.hub.api.access.AccessControl;
import java.util.Optional;

/**
 * The use cases of an agent that takes part in a conversation. Each one finds the run of the
 * caller, asks {@link Authority} and logs a refusal. An agent never names a run: it acts for its
 * own.
 */
public final class AgentChatOperations {
  private final AgentMessages messages;
  private final AccessControl accessControl;

  public AgentChatOperations(AgentMessages messages, AccessControl accessControl) {
    this.messages = messages;
    this.accessControl = accessControl;
  }

  /** Whether the caller is the agent of a run that belongs to a conversation. */
  boolean isOffered(Caller caller) {
    return caller
        .own()
        .filter(run ->
            Authority.objection(caller, new Action.Converse(run, messages.isInChat(run))).isEmpty())
        .isPresent();
  }

  QueuedMessage sendMessage(Caller caller, String text, Optional<String> to) {
    return messages.send(runOf(caller), text, to);
  }

  QueuedMessage sendFile(Caller caller, FileRequest file, Optional<String> to) {
    return messages.sendFile(runOf(caller), file, to);
  }

  QueuedMessage editMessage(Caller caller, OutboundId message, String text) {
    return messages.edit(runOf(caller), message, text);
  }

  void addReaction(Caller caller, long message, MessageStatus status) {
    messages.react(runOf(caller), message, status);
  }

  ChatQuestion ask(Caller caller, QuestionRequest request) throws InterruptedException {
    return messages.ask(runOf(caller), request);
  }

  private RunId runOf(Caller caller) {
    RunId run =
        caller
            .own()
            .orElseThrow(() ->
                Problem.of(
                        Code.FORBIDDEN,
                        "caller",
                        "the agent of a run that belongs to a conversation",
                        "this tool writes in the chat of the run whose agent calls it, and the"
                            + " caller is not an agent of this hub")
                    .refused());
    accessControl.require(caller, new Action.Converse(run, messages.isInChat(run)));
    return run;
  }
}
