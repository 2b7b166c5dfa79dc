package dev.midcourse.hub.http;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Wire;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps web pages from elsewhere from driving the hub through somebody's browser: the host that is
 * asked must be one of the door's own names, whatever a name server says, and a request that names
 * its origin must come from the hub's own page.
 */
final class SameSite {
  private SameSite() {}

  static Optional<Problem> objection(
      Door door, Optional<String> host, Optional<String> origin, Optional<String> site) {
    if (door.hosts().isEmpty()) {
      return origin.map(from -> foreign(from));
    }
    String asked = host.orElse("").toLowerCase(Locale.ROOT);
    boolean publicly = door.publicUrl().filter(url -> url.isHost(asked)).isPresent();
    if (!publicly && !door.hosts().contains(withoutPort(asked))) {
      return Optional.of(
          Problem.of(
              Code.FORBIDDEN,
              "host",
              "one of: " + String.join(", ", door.hosts().stream().sorted().toList()),
              "this is not the hub of " + Wire.shown(asked)));
    }
    if (origin.isPresent() && !isOwn(door, asked, publicly, origin.get())) {
      return Optional.of(foreign(origin.get()));
    }
    boolean crossSite =
        site.filter(s -> s.equals("cross-site") || s.equals("same-site")).isPresent();
    return crossSite ? Optional.of(foreign("another site")) : Optional.empty();
  }

  /** A proxy may pass the public name on or put our own in its place; its page is ours. */
  private static boolean isOwn(Door door, String asked, boolean publicly, String origin) {
    String from = origin.toLowerCase(Locale.ROOT);
    return door.publicUrl().filter(url -> url.origin().equals(from)).isPresent()
        || (!publicly && from.equals(door.scheme() + asked));
  }

  private static Problem foreign(String origin) {
    return Problem.of(
        Code.FORBIDDEN,
        "origin",
        "the hub's own page, or a program",
        "a page from " + Wire.shown(origin) + " may not use this hub");
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }
}
