package dev.midcourse.channels.irc;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Settings and requests of a channel to a server of a test. */
final class IrcParts {
  static final ChannelName NAME = ChannelName.of("irc");

  private IrcParts() {}

  static MapConfig config(int port, Map<String, String> more) {
    Map<String, String> values = new HashMap<>();
    values.put("server", "127.0.0.1");
    values.put("port", Integer.toString(port));
    values.put("tls", "false");
    values.put("rooms", "#dev");
    values.put("send_interval", "PT0.01S");
    values.putAll(more);
    return MapConfig.of(NAME.value(), values);
  }

  static SendResult send(IrcChannel channel, String chat, String text) {
    return send(channel, chat, text, Optional.empty());
  }

  static SendResult send(IrcChannel channel, String chat, String text, Optional<String> replyTo) {
    return channel.send(
        OutboundId.of("out-1"),
        new ChannelRequest.SendText(new ChatAddress(NAME, chat, Optional.empty()), text, replyTo));
  }
}
