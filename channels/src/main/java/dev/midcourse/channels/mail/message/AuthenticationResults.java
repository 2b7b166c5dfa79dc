package dev.midcourse.channels.mail.message;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what our mail server found out about the sender (RFC 8601). Only the topmost header of our
 * server counts: the sender may have written any other one.
 */
public final class AuthenticationResults {
  private static final int MAX_LENGTH = 20_000;
  private static final Pattern METHOD = Pattern.compile("\\s*dmarc\\s*=\\s*([a-z]+)(.*)");
  private static final Pattern HEADER_FROM =
      Pattern.compile("\\sheader\\.from\\s*=\\s*\"?([^\\s\"]+)");

  private AuthenticationResults() {}

  /**
   * Whether our server found that the domain of the sender stands behind the mail.
   *
   * @param headers the values of {@code Authentication-Results}, the topmost first
   */
  public static boolean proves(List<String> headers, String authservId, String domain) {
    return headers.stream()
        .filter(header -> header.length() <= MAX_LENGTH)
        .map(AuthenticationResults::withoutComments)
        .filter(header -> authservIdOf(header).equalsIgnoreCase(authservId))
        .findFirst()
        .filter(header -> passes(header, domain))
        .isPresent();
  }

  /** The name of the server in a header; empty if there is none. */
  public static String authservIdOf(String header) {
    String first = withoutComments(header).split(";", 2)[0].strip();
    return first.split("\\s+", 2)[0];
  }

  private static boolean passes(String header, String domain) {
    boolean passed = false;
    String[] results = header.toLowerCase(Locale.ROOT).split(";", -1);
    for (int i = 1; i < results.length; i++) {
      Matcher method = METHOD.matcher(results[i]);
      if (!method.matches()) {
        continue;
      }
      Matcher from = HEADER_FROM.matcher(method.group(2));
      boolean isOfDomain = !from.find() || from.group(1).equals(domain.toLowerCase(Locale.ROOT));
      if (!method.group(1).equals("pass") || !isOfDomain) {
        return false;
      }
      passed = true;
    }
    return passed;
  }

  /** Leaves out comments in parentheses, which may be nested, and joins folded lines. */
  private static String withoutComments(String header) {
    StringBuilder kept = new StringBuilder();
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < header.length(); i++) {
      char c = header.charAt(i);
      if (c == '\\' && (quoted || depth > 0)) {
        i++;
      } else if (c == '"' && depth == 0) {
        quoted = !quoted;
      } else if (quoted) {
        kept.append(c == ';' ? ' ' : c);
      } else if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth = Math.max(0, depth - 1);
      } else if (depth == 0) {
        kept.append(Character.isWhitespace(c) ? ' ' : c);
      }
    }
    return kept.toString();
  }
}
