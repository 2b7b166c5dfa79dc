package dev.midcourse.hub.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @Test
  void durations_are_read_as_people_write_them() {
    Map.of(
            "500ms", Duration.ofMillis(500),
            "30s", Duration.ofSeconds(30),
            "5m", Duration.ofMinutes(5),
            "2h", Duration.ofHours(2),
            "30d", Duration.ofDays(30),
            "0s", Duration.ZERO)
        .forEach((text, time) -> assertThat(Durations.parse("ttl", text)).isEqualTo(time));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "5S", "1h30m", "9999999999s", "PT5S", "5s\n"})
  void anything_else_is_refused_with_the_name_of_the_field(String text) {
    assertThatThrownBy(() -> Durations.parse("ttl", text))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("ttl must be like 30s");
  }
}
