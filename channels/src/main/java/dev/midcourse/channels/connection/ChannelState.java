package dev.midcourse.channels.connection;

import java.util.Optional;

/**
 * What a channel stores across restarts, as short texts by name. A position in the stream of
 * updates is stored after the listener has taken everything before it: after a crash in between the
 * updates come again, and an update that comes again changes nothing.
 */
public interface ChannelState {
  Optional<String> get(String name);

  /** Returns when the value is durable. */
  void put(String name, String value);
}
