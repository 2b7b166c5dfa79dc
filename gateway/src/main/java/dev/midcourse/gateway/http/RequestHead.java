package dev.midcourse.gateway.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a request.
 *
 * @param target the path and the query, beginning with a slash
 * @param minor the minor version: 0 or 1
 */
public record RequestHead(String method, String target, int minor, MessageHead head) {
  private static final Pattern LINE =
      Pattern.compile("([A-Z]{1,20}) (/[\\x21-\\x7e\\x80-\\xff]*) HTTP/1\\.([01])");

  public static RequestHead of(MessageHead head) throws MalformedMessageException {
    Matcher line = LINE.matcher(head.startLine());
    if (!line.matches()) {
      throw MalformedMessageException.invalid("the first line is no request for a path");
    }
    return new RequestHead(line.group(1), line.group(2), line.group(3).equals("1") ? 1 : 0, head);
  }

  /** Returns a copy for another path. */
  public RequestHead withTarget(String other) {
    String line = method + " " + other + " HTTP/1." + minor;
    return new RequestHead(method, other, minor, head.withStartLine(line));
  }

  /** Returns a copy with a field replaced, where the request has it. */
  public RequestHead replacing(String name, String value) {
    return new RequestHead(method, target, minor, head.replacing(name, value));
  }

  public boolean asksForUpgrade() {
    return head.value("upgrade").isPresent();
  }

  public boolean expectsContinue() {
    return minor == 1 && head.hasToken("expect", "100-continue");
  }

  /** Returns whether the client can send another request on the same connection. */
  public boolean keepsAlive() {
    return keepsAlive(head, minor);
  }

  static boolean keepsAlive(MessageHead head, int minor) {
    return minor == 1
        ? !head.hasToken("connection", "close")
        : head.hasToken("connection", "keep-alive");
  }
}
