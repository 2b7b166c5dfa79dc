package dev.midcourse.hub.http.server;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The URL of the hub behind a TLS proxy: one name and one origin.
 *
 * @param origin the origin as browsers send it: in lower case, without the default port
 */
public record PublicUrl(String origin) {
  private static final String SCHEME = "https://";
  private static final String RULE = "https:// and a name, perhaps a port, and no path";
  private static final Pattern SHAPE =
      Pattern.compile(
          "https://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?");
  private static final String DEFAULT_PORT = ":443";

  public PublicUrl {
    if (!SHAPE.matcher(origin).matches()) {
      throw Problem.invalid(
              "public_url", RULE, "public_url must be " + RULE + "; got " + WireNames.shown(origin))
          .refused();
    }
  }

  /** Parses the URL of the settings. */
  public static PublicUrl of(String text) {
    String origin = text.toLowerCase(Locale.ROOT).replaceFirst("/$", "");
    return new PublicUrl(
        origin.endsWith(DEFAULT_PORT)
            ? origin.substring(0, origin.length() - DEFAULT_PORT.length())
            : origin);
  }

  /** Returns whether the {@code Host} of a request names this URL. */
  public boolean isHost(String asked) {
    String authority = origin.substring(SCHEME.length());
    return asked.equals(authority) || asked.equals(authority + DEFAULT_PORT);
  }

  @Override
  public String toString() {
    return origin;
  }
}
