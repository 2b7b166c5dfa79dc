package dev.midcourse.channels.terminal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What one client sees of a chat. For one thread. */
public final class TerminalView implements AutoCloseable {
  private final TerminalChat.Joined joined;

  TerminalView(TerminalChat.Joined joined) {
    this.joined = joined;
  }

  /** The messages at the beginning, oldest first. */
  public List<TerminalMessage> messages() {
    return joined.messages();
  }

  /** Waits for the next message that is new or has changed; empty if there is none in time. */
  public Optional<TerminalMessage> next(Duration atMost) throws InterruptedException {
    return joined.subscription().next(atMost.toMillis());
  }

  /** Whether changes were left out because the client did not read them. It must come again. */
  public boolean hasMissed() {
    return joined.subscription().isTooSlow();
  }

  @Override
  public void close() {
    joined.subscription().close();
  }
}
