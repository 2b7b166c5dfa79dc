package dev.midcourse.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {
  private static final String[] PIECES = {"a", "é", "日", "😀", "\ud83d", "\ude00", "\0"};

  @Test
  void it_agrees_with_the_encoder_on_every_text() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder made = new StringBuilder();
      for (int n = random.nextInt(8); n > 0; n--) {
        made.append(PIECES[random.nextInt(PIECES.length)]);
      }
      String text = made.toString();
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;

      assertThat(Utf8.length(text)).as("seed %s: %s", seed, text).isEqualTo(bytes);
      assertThat(Utf8.isWhole(text))
          .as("seed %s: %s", seed, text)
          .isEqualTo(StandardCharsets.UTF_8.newEncoder().canEncode(text));
      int limit = random.nextInt(20);
      assertThat(Utf8.longerThan(text, limit))
          .as("seed %s: %s over %s", seed, text, limit)
          .isEqualTo(bytes > limit);
    }
  }
}
