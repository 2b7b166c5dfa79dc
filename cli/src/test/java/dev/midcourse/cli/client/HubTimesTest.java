package dev.midcourse.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HubTimesTest {
  @Test
  void it_reads_what_the_jdk_writes() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      Instant at =
          Instant.ofEpochSecond(
              random.nextLong(0, 4_000_000_000L), random.nextLong(0, 1_000_000_000L));
      assertThat(HubTimes.of(at.toString())).as("seed " + seed).contains(at);
    }
    for (String text : new String[] {"2000-02-29T00:00:00Z", "1999-12-31T23:59:59.999Z"}) {
      assertThat(HubTimes.of(text)).contains(Instant.parse(text));
    }
  }

  @Test
  void text_that_is_no_time_gives_none() {
    for (String text :
        new String[] {
          "",
          "now",
          "2026-01-01",
          "2026-01-01T00:00:00+01:00",
          "2026-aa-01T00:00:00Z",
          "2026-01-01T00:00:00.xZ"
        }) {
      assertThat(HubTimes.of(text)).as(text).isEmpty();
    }
  }
}
