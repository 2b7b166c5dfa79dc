package dev.midcourse.channels;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;

/** Takes what people do in a channel. */
public interface ChannelListener {
  /**
   * Takes a message, an edit or a deletion. Returns only when it is durable; the same update again
   * changes nothing. Throws if it could not be stored: then the channel must not acknowledge it.
   */
  void receive(InboundMessage message);

  /** Takes a click on a button, with the same guarantees; returns the text for the clicker. */
  String click(ButtonClick click);

  /** Takes what else the platform tells. Returns only when it is durable. */
  default void notice(ChannelName channel, ChannelNotice notice) {}
}
