package dev.midcourse.hub.http.server;

import dev.midcourse.core.authority.Caller;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** Identifies the caller of a connection. */
public interface Authenticator {

  /**
   * Who calls over this channel.
   *
   * @param authorization the header of that name
   */
  Caller authenticate(SocketChannel channel, Optional<String> authorization);

  /** Whether the answer is the same for every request of a connection. */
  boolean knowsByConnection();
}
