package dev.midcourse.ledger.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.run.RunState;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decoding of stored events; LogSuite has the round trip of every kind. */
class EventCodecTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run_teleported | {\"to\":\"elsewhere\"}",
        "run_ended | {\"attempt\":1,\"state\":\"vanished\",\"result\":\"r\",\"processes_ended\":0}",
        "steer_ended | {\"steer_id\":\"not an"
            + " id\",\"seq\":1,\"ended\":\"expired\",\"reason\":\"r\"}",
        "said | {\"attempt\":1}",
        "said | []",
        "unknown | {}"
      })
  void a_kind_or_body_of_a_newer_version_is_unknown_and_not_an_error(String kind, String json) {
    RunEvent event = EventCodec.decode(kind, json);
    assertThat(event).isEqualTo(new RunEvent.Unknown(kind, json));
    assertThat(EventKind.of(event)).isEqualTo(kind);
  }

  @Test
  void fields_that_a_newer_version_added_are_ignored_and_optional_ones_may_be_absent() {
    assertThat(EventCodec.decode("interrupting", "{\"attempt\":1,\"turn\":2,\"mood\":\"bad\"}"))
        .isEqualTo(new RunEvent.Interrupting(1, 2, Optional.empty()));
  }

  @Test
  void a_number_that_an_earlier_version_did_not_write_is_zero() {
    assertThat(
            EventCodec.decode("run_ended", "{\"attempt\":1,\"state\":\"done\",\"result\":\"r\"}"))
        .isEqualTo(new RunEvent.RunEnded(1, RunState.DONE, "r", 0));
  }
}
