package dev.midcourse.channels;

import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One request to a platform. Messages are named by the ids of the platform. */
public sealed interface ChannelRequest {
  ChatAddress to();

  /** Sends a new message in Markdown, at most as long as the limits allow. */
  record SendText(ChatAddress to, String markdown, Optional<String> replyTo)
      implements ChannelRequest {}

  /** Replaces the text of a message of the bot. */
  record EditText(ChatAddress to, String message, String markdown) implements ChannelRequest {}

  /** Makes this the one reaction of the bot on a message of a person. */
  record SetReaction(ChatAddress to, String message, MessageStatus status)
      implements ChannelRequest {}

  /** Sends a message with buttons. */
  record SendCard(ChatAddress to, String title, String markdown, List<Button> buttons)
      implements ChannelRequest {
    public SendCard {
      buttons = List.copyOf(buttons);
    }
  }

  /** Replaces the text of a card and removes its buttons. */
  record CloseCard(ChatAddress to, String message, String markdown) implements ChannelRequest {}

  /** Sends a file under this name. */
  record SendFile(ChatAddress to, Path file, String name, Optional<String> caption)
      implements ChannelRequest {}
}
