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

  /**
   * Takes the report that a message of ours, which {@link Channel#send} had called sent, did not
   * arrive. Returns only when it is durable; the same report again changes nothing. Throws if it
   * could not be stored, or if the id of the message is not stored yet: then the channel must
   * report it again.
   *
   * @param message the id that the platform gave to the message
   * @param reason why it did not arrive, in the words of the platform
   */
  default void reportUndelivered(ChannelName channel, String message, String reason) {}

  /** Takes what else the platform tells. Returns only when it is durable. */
  default void notice(ChannelName channel, ChannelNotice notice) {}
}
