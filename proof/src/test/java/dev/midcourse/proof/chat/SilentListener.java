package dev.midcourse.proof.chat;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;

/** Takes everything and does nothing. */
final class SilentListener implements ChannelListener {
  @Override
  public void receive(InboundMessage message) {}

  @Override
  public String click(ButtonClick click) {
    return "";
  }
}
