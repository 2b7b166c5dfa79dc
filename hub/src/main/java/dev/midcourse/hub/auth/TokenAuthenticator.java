package dev.midcourse.hub.auth;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.hub.http.server.Authenticator;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** Authenticates a caller with the token as main. */
public record TokenAuthenticator(HubToken token) implements Authenticator {
  @Override
  public ConnectionAuthenticator accepted(SocketChannel channel) {
    return this::authenticate;
  }

  Caller authenticate(Optional<String> authorization) {
    if (token.isIn(authorization)) {
      return new Caller.Main("http");
    }
    return new Caller.Unauthenticated(
        authorization.isEmpty()
            ? "the token is missing: send Authorization: Bearer with the output of midcourse token"
            : "the token is wrong: it changes when the hub starts, unless keep_token is set;"
                + " midcourse token prints the current one");
  }
}
