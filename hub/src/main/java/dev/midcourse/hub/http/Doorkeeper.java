package dev.midcourse.hub.http;

import dev.midcourse.core.authority.Asker;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** Finds out who stands at a door. */
public interface Doorkeeper {

  /**
   * Who calls over this channel.
   *
   * @param authorization the header of that name
   */
  Asker admit(SocketChannel channel, Optional<String> authorization);

  /** Whether the answer is the same for every request of a connection. */
  boolean knowsByConnection();
}
