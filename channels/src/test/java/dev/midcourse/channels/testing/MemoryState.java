package dev.midcourse.channels.testing;

import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.kind.ChannelContext;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What a channel stores; it outlives the channel, as after a restart. */
public final class MemoryState implements ChannelState {
  private final Map<String, String> values = new ConcurrentHashMap<>();

  @Override
  public Optional<String> get(String name) {
    return Optional.ofNullable(values.get(name));
  }

  @Override
  public void put(String name, String value) {
    values.put(name, value);
  }

  /** A context with this state, and with locks of its own. */
  public ChannelContext context(InstantSource clock) {
    return new ChannelContext(clock, this, new ProcessLocks(), Path.of("unused"));
  }
}
