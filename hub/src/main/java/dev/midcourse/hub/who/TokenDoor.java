package dev.midcourse.hub.who;

import dev.midcourse.core.authority.Asker;
import dev.midcourse.hub.http.Doorkeeper;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** Whoever shows the token is let in as main. */
public record TokenDoor(Token token) implements Doorkeeper {
  @Override
  public Asker admit(SocketChannel channel, Optional<String> authorization) {
    if (token.isIn(authorization)) {
      return new Asker.Main("http");
    }
    return new Asker.Stranger(
        authorization.isEmpty()
            ? "the token is missing: send Authorization: Bearer with what is in the file token"
            : "the token is wrong");
  }

  @Override
  public boolean knowsByConnection() {
    return false;
  }
}
