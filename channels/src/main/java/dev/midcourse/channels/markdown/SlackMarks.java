package dev.midcourse.channels.markdown;

/** Slack's mrkdwn. Marks count only beside spaces, so that each gets an invisible separator. */
final class SlackMarks implements Marks {
  private static final String SEPARATOR = "\u200B";

  @Override
  public String escape(String text) {
    return Marks.escapeAngles(text);
  }

  @Override
  public String strong(String inner) {
    return marked("*", inner);
  }

  @Override
  public String emphasis(String inner) {
    return marked("_", inner);
  }

  @Override
  public String strikethrough(String inner) {
    return marked("~", inner);
  }

  @Override
  public String code(String code) {
    return "`" + escape(code).replace("`", "ˋ") + "`";
  }

  @Override
  public String codeBlock(String language, String code) {
    return "```\n" + escape(code).replace("```", "ˋˋˋ") + "\n```";
  }

  @Override
  public String heading(String inner) {
    return strong(inner);
  }

  @Override
  public String quote(String inner) {
    return Marks.prefixLines("> ", inner);
  }

  @Override
  public String link(String inner, String url) {
    String address = escape(url).replace("|", "%7C");
    String label = inner.replace("|", "¦").replace("\n", " ");
    return "<" + address + "|" + label + ">";
  }

  private static String marked(String mark, String inner) {
    return inner.isBlank() ? inner : SEPARATOR + mark + inner + mark + SEPARATOR;
  }
}
