package dev.midcourse.channels.wire;

import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;

/** What the other program reports. */
public sealed interface ChannelUpdate {
  /** A message, an edit or a deletion. */
  record Message(InboundMessage message) implements ChannelUpdate {}

  /** A click on a button. */
  record Click(ButtonClick click) implements ChannelUpdate {}
}
