package dev.midcourse.core.chat;

import dev.midcourse.core.id.WorkerName;
import java.util.Optional;

/**
 * What distinguishes a conversation from others. Equal keys are one conversation.
 *
 * @param chat empty if the worker has one conversation for all chats
 * @param thread the thread; empty if the conversation has all threads of the chat
 */
public record ConversationKey(WorkerName worker, Optional<ChatId> chat, Optional<String> thread) {

  /** The conversation to which a message in this thread belongs. */
  public static ConversationKey of(Wiring wiring, Optional<String> thread) {
    return switch (wiring.sessionMode()) {
      case SHARED ->
          new ConversationKey(wiring.worker(), Optional.of(wiring.chat()), Optional.empty());
      case PER_THREAD -> new ConversationKey(wiring.worker(), Optional.of(wiring.chat()), thread);
      case PER_WORKER -> new ConversationKey(wiring.worker(), Optional.empty(), Optional.empty());
    };
  }
}
