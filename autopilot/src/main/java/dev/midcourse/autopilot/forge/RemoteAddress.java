package dev.midcourse.autopilot.forge;

import dev.midcourse.core.Problem;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a repository, as git has it: {@code https://host/owner/name.git}, {@code
 * git@host:owner/name.git} or a folder.
 *
 * @param text the address without a user name and a password
 * @param host the host, with its port if it names one; empty for a folder
 * @param project the path of the project, without {@code .git}
 */
public record RemoteAddress(String text, Optional<String> host, String project) {
  private static final Pattern URL =
      Pattern.compile("(https?|ssh)://(?:[^/@]*@)?([^/@:]+(?::\\d+)?)/(.+)");

  private static final Pattern SCP =
      Pattern.compile("([A-Za-z0-9._-]+@)?([A-Za-z0-9.-]+):([^/].*)");

  /** Reads an address. A user name and a password in the address of a web server are dropped. */
  public static RemoteAddress of(String address) {
    String text = address.strip();
    Matcher url = URL.matcher(text);
    if (url.matches()) {
      boolean ssh = url.group(1).equals("ssh");
      String own = ssh ? text : url.group(1) + "://" + url.group(2) + "/" + url.group(3);
      return new RemoteAddress(own, Optional.of(url.group(2)), project(url.group(3)));
    }
    if (text.startsWith("/")) {
      return new RemoteAddress(text, Optional.empty(), lastTwo(project(text)));
    }
    Matcher scp = SCP.matcher(text);
    if (scp.matches()) {
      return new RemoteAddress(text, Optional.of(scp.group(2)), project(scp.group(3)));
    }
    throw Problem.invalid(
            "repo",
            "a clone whose remote origin is a repository of the forge",
            "the address of the remote origin cannot be read")
        .refused();
  }

  public boolean isHttp() {
    return text.startsWith("http://");
  }

  public boolean isHttps() {
    return text.startsWith("https://");
  }

  private static String project(String path) {
    String trimmed = path.replaceAll("/+$", "");
    return trimmed.endsWith(".git") ? trimmed.substring(0, trimmed.length() - 4) : trimmed;
  }

  private static String lastTwo(String path) {
    int last = path.lastIndexOf('/');
    int before = path.lastIndexOf('/', last - 1);
    return path.substring(before + 1);
  }
}
