package dev.midcourse.hub.http.server;

import dev.midcourse.core.authority.Caller;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** Identifies the callers of an endpoint. */
public interface Authenticator {

  /**
   * Takes what only the connection tells about its caller. Called once for each connection, when it
   * is accepted and before anything is read from it.
   */
  ConnectionAuthenticator accepted(SocketChannel channel);

  /** Identifies the caller of each request of one connection. */
  @FunctionalInterface
  interface ConnectionAuthenticator {
    /**
     * Returns the caller of a request.
     *
     * @param authorization the header of that name
     */
    Caller authenticate(Optional<String> authorization);

    /**
     * Returns how long the caller may receive a response that has no end.
     *
     * @param onEnd called once if the caller's authentication is revoked before
     */
    default AuthenticationLease lease(Optional<String> authorization, Runnable onEnd) {
      return AuthenticationLease.UNLIMITED;
    }
  }
}
