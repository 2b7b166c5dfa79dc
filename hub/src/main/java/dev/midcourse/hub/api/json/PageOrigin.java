package dev.midcourse.hub.api.json;

import dev.midcourse.core.Problem;
import java.util.regex.Pattern;

/**
 * The address at which a browser has the page: scheme, host and port, as the browser writes it.
 *
 * <p>The name localhost is refused without TLS. It stands for two addresses, and a stranger can
 * listen at the one that the hub does not use.
 */
record PageOrigin(String text) {
  private static final Pattern FORM =
      Pattern.compile("https?://([a-z0-9.-]{1,253}|\\[[0-9a-f:.]{2,45}])(:[0-9]{1,5})?");
  private static final Pattern LOCALHOST = Pattern.compile("http://localhost(:.*)?");

  static PageOrigin of(String text) {
    if (!FORM.matcher(text).matches()) {
      throw Problem.invalid(
              "origin", "scheme, host and port", "origin must be scheme, host and port of the page")
          .refused();
    }
    if (LOCALHOST.matcher(text).matches()) {
      throw Problem.invalid(
              "origin",
              "an address instead of the name localhost",
              "sign in at 127.0.0.1 instead of localhost: another program of this machine can"
                  + " answer under that name")
          .refused();
    }
    return new PageOrigin(text);
  }
}
