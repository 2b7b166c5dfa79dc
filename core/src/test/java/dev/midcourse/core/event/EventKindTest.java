package dev.midcourse.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Samples;
import org.junit.jupiter.api.Test;

class EventKindTest {

  @Test
  void every_kind_of_event_has_a_name_of_its_own_in_snake_case() {
    assertThat(RunEvent.kinds()).hasSizeGreaterThan(30);
    assertThat(RunEvent.kinds().stream().map(EventKind::of))
        .allMatch(name -> name.matches("[a-z]+(_[a-z]+)*"))
        .doesNotHaveDuplicates();
  }

  @Test
  void an_event_is_named_after_its_type() {
    assertThat(EventKind.of(new RunEvent.StopAsked(Samples.ANNA))).isEqualTo("stop_asked");
    assertThat(EventKind.of(new RunEvent.Noted("x"))).isEqualTo("noted");
    assertThat(EventKind.of(RunEvent.SteerStored.class)).isEqualTo("steer_stored");
  }
}
