package dev.midcourse.channels.slack.receive;

import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import java.util.Optional;

/** What an event of Slack means for us. */
public sealed interface SlackUpdate {

  /** A message, an edit or a deletion. */
  record Message(InboundMessage message) implements SlackUpdate {}

  /**
   * A click on a button.
   *
   * @param responseUrl where a text for the clicker may be posted
   */
  record Click(ButtonClick click, Optional<String> responseUrl) implements SlackUpdate {}

  /** Something else that the hub wants to know. */
  record Notice(ChannelNotice notice) implements SlackUpdate {}

  /** The app was uninstalled, or its token revoked. */
  record Revoked(String reason) implements SlackUpdate {}

  /** Nothing. */
  record Ignored(String reason) implements SlackUpdate {}
}
