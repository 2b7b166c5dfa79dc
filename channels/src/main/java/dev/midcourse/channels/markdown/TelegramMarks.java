package dev.midcourse.channels.markdown;

/** The HTML tags of Telegram. */
final class TelegramMarks implements Marks {
  @Override
  public String escape(String text) {
    return Marks.escapeAngles(text);
  }

  @Override
  public String strong(String inner) {
    return "<b>" + inner + "</b>";
  }

  @Override
  public String emphasis(String inner) {
    return "<i>" + inner + "</i>";
  }

  @Override
  public String strikethrough(String inner) {
    return "<s>" + inner + "</s>";
  }

  @Override
  public String code(String code) {
    return "<code>" + escape(code) + "</code>";
  }

  @Override
  public String codeBlock(String language, String code) {
    return language.matches("[A-Za-z0-9+#_.-]{1,30}")
        ? "<pre><code class=\"language-" + language + "\">" + escape(code) + "</code></pre>"
        : "<pre>" + escape(code) + "</pre>";
  }

  @Override
  public String heading(String inner) {
    return strong(inner);
  }

  @Override
  public String quote(String inner) {
    return "<blockquote>" + inner + "</blockquote>";
  }

  @Override
  public String link(String inner, String url) {
    return "<a href=\"" + escape(url).replace("\"", "&quot;") + "\">" + inner + "</a>";
  }
}
