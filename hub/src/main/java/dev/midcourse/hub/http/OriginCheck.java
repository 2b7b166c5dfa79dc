package dev.midcourse.hub.http;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.WireNames;
import dev.midcourse.hub.http.server.Endpoint;
import java.util.Locale;
import java.util.Optional;

/**
 * Protects the hub from web pages of other sites in a person's browser. The host of the request
 * must be a name of the endpoint, which defeats DNS rebinding, and a request with an origin must
 * come from the hub's own page.
 */
final class OriginCheck {
  private OriginCheck() {}

  static Optional<Problem> objection(
      Endpoint endpoint, Optional<String> host, Optional<String> origin, Optional<String> site) {
    if (endpoint.hosts().isEmpty()) {
      return origin.map(from -> foreign(from));
    }
    String asked = host.orElse("").toLowerCase(Locale.ROOT);
    boolean publicly = endpoint.publicUrl().filter(url -> url.isHost(asked)).isPresent();
    if (!publicly && !endpoint.hosts().contains(withoutPort(asked))) {
      return Optional.of(
          Problem.of(
              Code.FORBIDDEN,
              "host",
              "one of: " + String.join(", ", endpoint.hosts().stream().sorted().toList()),
              "this is not the hub of " + WireNames.shown(asked)));
    }
    if (origin.isPresent() && !isOwn(endpoint, asked, publicly, origin.get())) {
      return Optional.of(foreign(origin.get()));
    }
    boolean crossSite =
        site.filter(s -> s.equals("cross-site") || s.equals("same-site")).isPresent();
    return crossSite ? Optional.of(foreign("another site")) : Optional.empty();
  }

  /** A proxy may pass the public name on or put our own in its place; its page is ours. */
  private static boolean isOwn(Endpoint endpoint, String asked, boolean publicly, String origin) {
    String from = origin.toLowerCase(Locale.ROOT);
    return endpoint.publicUrl().filter(url -> url.origin().equals(from)).isPresent()
        || (!publicly && from.equals(endpoint.scheme() + asked));
  }

  private static Problem foreign(String origin) {
    return Problem.of(
        Code.FORBIDDEN,
        "origin",
        "the hub's own page, or a program",
        "a page from " + WireNames.shown(origin) + " may not use this hub");
  }

  static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }
}
