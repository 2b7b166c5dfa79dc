package dev.midcourse.channels.mail.message;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Leaves out of a mail what its sender did not write: quotes of earlier mails and the signature.
 */
public final class QuoteCutter {
  private static final int MAX_LINE = 1_000;
  private static final Pattern ATTRIBUTION =
      Pattern.compile(
          "(On|Am|Le|El|Il|Op|Em|Den|W dniu) [^\\n]{1,600}"
              + "(wrote|schrieb[^\\n]{0,200}|a écrit|escribió|ha scritto|schreef[^\\n]{0,200}"
              + "|escreveu|skrev[^\\n]{0,200}|napisał\\(?a?\\)?) ?:");
  private static final Pattern ORIGINAL =
      Pattern.compile(
          "-{3,} ?(Original Message|Ursprüngliche Nachricht|Message d'origine|Forwarded message)"
              + " ?-{3,}");
  private static final Pattern OUTLOOK_FROM =
      Pattern.compile("\\*?(From|Von|De|Da|Van):\\*? .{1,500}");
  private static final Pattern OUTLOOK_SENT =
      Pattern.compile(
          "\\*?(Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Verzonden):\\*? .{1,500}");

  private QuoteCutter() {}

  /** Returns the own words of the sender, trimmed. Answers between quotes are kept. */
  public static String cut(String text) {
    List<String> lines = text.lines().toList();
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.equals("-- ") || line.equals("--") || beginsOriginal(lines, i)) {
        break;
      }
      int attribution = attribution(lines, i);
      if (attribution > 0) {
        i += attribution - 1;
      } else if (!line.startsWith(">")) {
        kept.add(line.stripTrailing());
      }
    }
    return String.join("\n", kept).strip().replaceAll("\n{3,}", "\n\n");
  }

  private static boolean beginsOriginal(List<String> lines, int at) {
    String line = lines.get(at).strip();
    if (line.length() > MAX_LINE) {
      return false;
    }
    return ORIGINAL.matcher(line).matches()
        || (OUTLOOK_FROM.matcher(line).matches()
            && at + 1 < lines.size()
            && lines.get(at + 1).length() <= MAX_LINE
            && OUTLOOK_SENT.matcher(lines.get(at + 1).strip()).matches());
  }

  /** The number of lines of "On … wrote:" that begins here and stands before a quote; else 0. */
  private static int attribution(List<String> lines, int at) {
    StringBuilder joined = new StringBuilder();
    for (int length = 1; length <= 3 && at + length <= lines.size(); length++) {
      joined.append(length == 1 ? "" : " ").append(lines.get(at + length - 1).strip());
      if (joined.length() > MAX_LINE) {
        return 0;
      }
      if (ATTRIBUTION.matcher(joined).matches()) {
        return isBeforeQuote(lines, at + length) ? length : 0;
      }
    }
    return 0;
  }

  private static boolean isBeforeQuote(List<String> lines, int from) {
    int at = from;
    while (at < lines.size() && lines.get(at).isBlank()) {
      at++;
    }
    return at == lines.size() || lines.get(at).startsWith(">");
  }
}
