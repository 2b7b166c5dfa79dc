package dev.midcourse.ledger.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SqlScriptTest {
  @Test
  void statements_end_with_a_semicolon_and_comments_are_removed() {
    String script =
        """
        -- a comment; with a semicolon and 'one quote
        CREATE TABLE a (x TEXT, -- the only column
          y TEXT);
        INSERT INTO a VALUES ('1'); INSERT INTO a VALUES ('2')
        """;
    assertThat(SqlScript.statements(script))
        .containsExactly(
            "CREATE TABLE a (x TEXT, \n  y TEXT)",
            "INSERT INTO a VALUES ('1')",
            "INSERT INTO a VALUES ('2')");
  }

  /** Seen to fail when every line is cut at its first two dashes. */
  @Test
  void dashes_and_semicolons_inside_quotes_are_text() {
    String literal = "INSERT INTO a VALUES ('it''s -- not a comment;\n', \"b -- c;\")";
    String function = "CREATE FUNCTION f() AS $$\nBEGIN RETURN '--'; END;\n$$";
    assertThat(SqlScript.statements(literal + ";\n" + function + ";\n"))
        .containsExactly(literal, function);
  }

  @Test
  void a_script_that_cannot_be_split_is_refused() {
    assertThatThrownBy(() -> SqlScript.statements("SELECT 'open;"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("close the quote '");
    assertThatThrownBy(() -> SqlScript.statements("SELECT 1 /* one; */;"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("block comment");
  }
}
