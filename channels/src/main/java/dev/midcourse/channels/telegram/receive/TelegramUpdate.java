package dev.midcourse.channels.telegram.receive;

import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import java.util.Optional;

/** What an update of Telegram reports. */
public sealed interface TelegramUpdate {

  /**
   * A message or an edit.
   *
   * @param album the id of the album, of which Telegram delivers each picture as a message
   */
  record Message(InboundMessage message, Optional<String> album) implements TelegramUpdate {}

  /**
   * A click on a button.
   *
   * @param query by which the click is answered
   */
  record Click(ButtonClick click, String query) implements TelegramUpdate {}

  /** A click that means nothing here; it is answered, so that the button does not stay busy. */
  record EmptyClick(String query) implements TelegramUpdate {}

  record Notice(ChannelNotice notice) implements TelegramUpdate {}

  /** An update without a meaning here. */
  record Nothing(String reason) implements TelegramUpdate {}
}
