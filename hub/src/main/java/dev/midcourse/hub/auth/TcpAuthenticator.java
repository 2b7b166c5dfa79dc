package dev.midcourse.hub.auth;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.hub.http.server.AuthenticationLease;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.hub.http.server.Authenticator.ConnectionAuthenticator;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * Authenticates callers of the TCP endpoint as main: a program with the token, or a page with an
 * access token of an active session.
 */
public record TcpAuthenticator(TokenAuthenticator programs, PageSignIn pages)
    implements Authenticator, ConnectionAuthenticator {
  @Override
  public ConnectionAuthenticator accepted(SocketChannel channel) {
    return this;
  }

  @Override
  public Caller authenticate(Optional<String> authorization) {
    Optional<String> accessToken = accessToken(authorization);
    if (accessToken.isEmpty()) {
      return programs.authenticate(authorization);
    }
    return accessToken
        .flatMap(pages::session)
        .<Caller>map(_ -> new Caller.Main("page"))
        .orElseGet(() ->
            new Caller.Unauthenticated(
                "this access token is not valid: its page session has ended, or the hub has restarted"));
  }

  private static Optional<String> accessToken(Optional<String> authorization) {
    return Bearer.token(authorization).filter(token -> token.startsWith(AccessTokens.PREFIX));
  }

  @Override
  public AuthenticationLease lease(Optional<String> authorization, Runnable onEnd) {
    return accessToken(authorization)
        .flatMap(pages::session)
        .map(session -> pages.sessions().lease(session, onEnd))
        .orElse(AuthenticationLease.UNLIMITED);
  }
}
