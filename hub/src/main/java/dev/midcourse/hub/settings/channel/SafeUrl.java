package dev.midcourse.hub.settings.channel;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/** The rule for the addresses of other programs: TLS, or this machine. */
public final class SafeUrl {
  private SafeUrl() {}

  /** Messages are private: without TLS they stay on this machine. */
  public static URI of(String key, String text) {
    String rule = "an https URL, or an http URL of this machine, without user and fragment";
    try {
      URI url = new URI(text);
      boolean plain =
          url.getHost() != null && url.getUserInfo() == null && url.getFragment() == null;
      boolean isSafe =
          "https".equalsIgnoreCase(url.getScheme())
              || ("http".equalsIgnoreCase(url.getScheme()) && plain && isLoopback(url.getHost()));
      if (plain && isSafe) {
        return url;
      }
    } catch (URISyntaxException e) {
      throw new RefusedException(
          Problem.invalid(key, rule, key + " must be " + rule + ": " + e.getMessage()), e);
    }
    throw Problem.invalid(key, rule, key + " must be " + rule + "; got " + WireNames.shown(text))
        .refused();
  }

  /** Names of other machines are not looked up. */
  private static boolean isLoopback(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      String bare = host.replaceAll("^\\[|\\]$", "");
      return bare.matches("[0-9a-fA-F.:]+") && InetAddress.getByName(bare).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
