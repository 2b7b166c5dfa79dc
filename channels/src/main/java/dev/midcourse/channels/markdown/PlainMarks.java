package dev.midcourse.channels.markdown;

/** Text without markup. */
final class PlainMarks implements Marks {
  @Override
  public String escape(String text) {
    return text;
  }

  @Override
  public String strong(String inner) {
    return inner;
  }

  @Override
  public String emphasis(String inner) {
    return inner;
  }

  @Override
  public String strikethrough(String inner) {
    return "~" + inner + "~";
  }

  @Override
  public String code(String code) {
    return "`" + code + "`";
  }

  @Override
  public String codeBlock(String language, String code) {
    return Marks.prefixLines("    ", code);
  }

  @Override
  public String heading(String inner) {
    return inner;
  }

  @Override
  public String quote(String inner) {
    return Marks.prefixLines("> ", inner);
  }

  @Override
  public String link(String inner, String url) {
    return inner.equals(url) ? url : inner + " (" + url + ")";
  }
}
