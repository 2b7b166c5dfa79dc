package dev.midcourse.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.watch.model.Key;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyboardTest {
  private static final char PAUSE = '\u0000';

  private static List<Key> keys(String typed) throws IOException {
    int[] at = {0};
    Keyboard keyboard =
        new Keyboard(millis -> {
          if (at[0] == typed.length()) {
            return Keyboard.Source.OVER;
          }
          char c = typed.charAt(at[0]++);
          return c == PAUSE ? Keyboard.Source.LATE : c;
        });
    List<Key> keys = new ArrayList<>();
    Optional<Key> key = keyboard.next();
    while (key.isPresent()) {
      keys.add(key.get());
      key = keyboard.next();
    }
    return keys;
  }

  @Test
  void arrows_come_in_two_dialects() throws IOException {
    assertThat(keys("\u001b[A\u001bOB\u001b[5~"))
        .containsExactly(Key.Named.UP, Key.Named.DOWN, Key.Named.PAGE_UP);
  }

  @Test
  void an_escape_alone_is_the_key() throws IOException {
    assertThat(keys("\u001b" + PAUSE + "q")).containsExactly(Key.Named.ESCAPE, new Key.Typed("q"));
  }

  @Test
  void no_part_of_an_unknown_sequence_is_taken_for_characters() throws IOException {
    assertThat(keys("\u001b[1;5Pj")).containsExactly(Key.Named.NOTHING, new Key.Typed("j"));
  }

  @Test
  void characters_beyond_the_first_plane_are_one_key() throws IOException {
    assertThat(keys("é📖")).containsExactly(new Key.Typed("é"), new Key.Typed("📖"));
  }

  @Test
  void pasted_text_is_one_key_with_any_content() throws IOException {
    assertThat(keys("\u001b[200~x\ry\u001b[201~q"))
        .containsExactly(new Key.Paste("x\ny"), new Key.Typed("q"));
  }

  @Test
  void control_keys_edit_the_line() throws IOException {
    assertThat(keys("\u0003\u0015\u0017\u007f\r"))
        .containsExactly(
            Key.Named.QUIT,
            Key.Named.CLEAR_LINE,
            Key.Named.CLEAR_WORD,
            Key.Named.BACKSPACE,
            Key.Named.ENTER);
  }
}
