package dev.midcourse.gateway.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The head of a response. */
public record ResponseHead(int status, int minor, MessageHead head) {
  private static final int FIRST_FINAL_STATUS = 200;
  private static final Pattern LINE = Pattern.compile("HTTP/1\\.([01]) ([1-9][0-9]{2})( .*)?");

  public static ResponseHead of(MessageHead head) throws MalformedMessageException {
    Matcher line = LINE.matcher(head.startLine());
    if (!line.matches()) {
      throw MalformedMessageException.invalid("the first line is no HTTP/1.1 response");
    }
    return new ResponseHead(
        Integer.parseInt(line.group(2)), line.group(1).equals("1") ? 1 : 0, head);
  }

  /** Returns whether another response to the same request follows. */
  public boolean isInterim() {
    return status < FIRST_FINAL_STATUS;
  }

  /** Returns whether the server can take another request on the same connection. */
  public boolean keepsAlive() {
    return RequestHead.keepsAlive(head, minor);
  }
}
