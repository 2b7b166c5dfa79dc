package dev.midcourse.channels.telegram;

import dev.midcourse.channels.connection.ChannelState;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A state that outlives its channel, as the ledger does. */
final class MemoryState implements ChannelState {
  private final Map<String, String> values = new ConcurrentHashMap<>();
  private volatile String failing = "";

  /** Writing values whose name begins so fails. */
  void failFor(String prefix) {
    failing = prefix;
  }

  @Override
  public Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name));
  }

  @Override
  public void put(String name, String value) {
    if (!failing.isEmpty() && name.startsWith(failing)) {
      throw new IllegalStateException("the disk is full");
    }
    values.put(name, value);
  }
}
