package dev.midcourse.channels.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkdownTextTest {
  private static final String ANSWER =
      """
      # Done

      The **login** is *fixed* in `a<b>.ts`, see [the log](https://example.org/a?b=1&c="d").

      1. first
      2. second
         - inner

      > be careful

      ```java
      if (a < b && c) {}
      ```
      """;

  @Test
  void telegram_gets_its_own_tags_and_nothing_that_it_could_misread() {
    assertThat(MarkdownText.toTelegramHtml(ANSWER))
        .isEqualTo(
            """
            <b>Done</b>

            The <b>login</b> is <i>fixed</i> in <code>a&lt;b&gt;.ts</code>, see \
            <a href="https://example.org/a?b=1&amp;c=&quot;d&quot;">the log</a>.

            1. first
            2. second
               • inner

            <blockquote>be careful</blockquote>

            <pre><code class="language-java">if (a &lt; b &amp;&amp; c) {}</code></pre>\
            """);
  }

  @Test
  void slack_gets_mrkdwn() {
    assertThat(MarkdownText.toSlack("**a** _b_ ~~c~~ [d|e](https://x.org/|) <!channel> `f`"))
        .isEqualTo(
            "\u200B*a*\u200B \u200B_b_\u200B \u200B~c~\u200B <https://x.org/%7C|d¦e>"
                + " &lt;!channel&gt; `f`");
  }

  @Test
  void plain_text_keeps_the_addresses_of_links_and_the_lines_of_code() {
    assertThat(MarkdownText.toPlain(ANSWER))
        .contains("see the log (https://example.org/a?b=1&c=\"d\").")
        .contains("    if (a < b && c) {}")
        .contains("> be careful")
        .doesNotContain("**");
  }

  @Test
  void html_of_an_agent_is_text_and_no_script_is_a_link() {
    String hostile = "<script>alert(1)</script>\n\n[x](javascript:alert(1)) <b>y</b>";
    assertThat(MarkdownText.toHtml(hostile)).doesNotContain("<script>", "<b>", "href=\"javascript");
    assertThat(MarkdownText.toTelegramHtml(hostile))
        .doesNotContain("<script>", "<b>", "href")
        .contains("x (javascript:alert(1))");
  }

  @Test
  void a_table_keeps_its_columns() {
    assertThat(MarkdownText.toSlack("|file|lines|\n|-|-|\n|a.ts|1|\n|long-name.ts|20|"))
        .isEqualTo(
            """
            ```
            file          lines
            a.ts          1
            long-name.ts  20
            ```\
            """);
  }

  @Test
  void single_line_breaks_stay_line_breaks() {
    assertThat(MarkdownText.toPlain("one\ntwo\n\nthree")).isEqualTo("one\ntwo\n\nthree");
    assertThat(MarkdownText.toTelegramHtml("one\ntwo")).isEqualTo("one\ntwo");
  }

  @Test
  void empty_text_stays_empty() {
    assertThat(MarkdownText.toPlain("")).isEmpty();
    assertThat(MarkdownText.toTelegramHtml("  \n")).isEmpty();
  }
}
