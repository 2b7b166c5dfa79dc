package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ForgeKind;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * A forge of the settings.
 *
 * @param api the base of the interface of the forge
 * @param credentials what proves to the forge who Midcourse is, for a project
 * @param gitHost the host to which git may send the secret
 * @param hookSecret the secret with which the forge signs its events; without it none is accepted
 * @param ciGrace how long no check may be reported before that is taken for "no CI"
 * @param quiet how long nothing may happen in a change before it is merged
 */
public record ForgeSettings(
    String name,
    ForgeKind kind,
    URI api,
    Credentials credentials,
    String gitHost,
    Optional<String> hookSecret,
    Duration ciGrace,
    Duration quiet) {

  /** Makes the credential for a project. */
  @FunctionalInterface
  public interface Credentials {
    ForgeCredential of(String project);
  }

  /**
   * Whether git may send the secret of this forge to the address: over HTTPS, or over HTTP if the
   * forge itself is asked so.
   */
  public boolean mayHaveSecret(RemoteAddress address) {
    boolean asSafe = address.isHttps() || (address.isHttp() && "http".equals(api.getScheme()));
    return asSafe
        && address.host().map(it -> it.toLowerCase(Locale.ROOT)).equals(Optional.of(gitHost));
  }

  @Override
  public String toString() {
    return "ForgeSettings[" + name + ", " + kind.wire() + ", " + api + "]";
  }
}
