package dev.midcourse.gateway.pump;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * The provider of an attempt.
 *
 * @param path what its paths begin with; empty or beginning with a slash, not ending with one
 */
public record Upstream(boolean tls, String host, int port, String path) {
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;

  /** Reads an address such as {@code https://api.example.com/base}. */
  public static Upstream parse(String address) {
    URI uri;
    try {
      uri = new URI(address);
    } catch (URISyntaxException invalid) {
      throw invalid(address);
    }
    String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
    boolean tls = scheme.equals("https");
    if ((!tls && !scheme.equals("http"))
        || uri.getHost() == null
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw invalid(address);
    }
    int usual = tls ? HTTPS_PORT : HTTP_PORT;
    String path = Optional.ofNullable(uri.getRawPath()).orElse("");
    return new Upstream(
        tls,
        uri.getHost(),
        uri.getPort() < 0 ? usual : uri.getPort(),
        path.replaceFirst("/+$", ""));
  }

  private static IllegalArgumentException invalid(String address) {
    return new IllegalArgumentException(
        "upstream must be an http or https address without user, query and fragment; got '"
            + address
            + "'");
  }

  /** Returns the value of the field Host. */
  String authority() {
    return port == (tls ? HTTPS_PORT : HTTP_PORT) ? host : host + ":" + port;
  }

  /** Returns the address of the provider without its path. */
  String origin() {
    return (tls ? "https://" : "http://") + authority();
  }
}
