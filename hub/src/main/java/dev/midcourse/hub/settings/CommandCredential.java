package dev.midcourse.hub.settings;

import dev.midcourse.autopilot.forge.ForgeCredential;
import dev.midcourse.autopilot.forge.ForgeException;
import java.util.Optional;

/**
 * The token that a command prints. It runs at the first use, and again if the token is rejected.
 */
final class CommandCredential implements ForgeCredential {
  private final String user;
  private final ForgesSection.Source command;

  /** Guarded by this object. */
  private Optional<Secret> known = Optional.empty();

  CommandCredential(String user, ForgesSection.Source command) {
    this.user = user;
    this.command = command;
  }

  @Override
  public synchronized Secret get() throws ForgeException {
    if (known.isEmpty()) {
      known = Optional.of(new Secret(user, ForgesSection.read(command)));
    }
    return known.get();
  }

  @Override
  public synchronized void reject(Secret secret) {
    known = known.filter(it -> !it.equals(secret));
  }
}
