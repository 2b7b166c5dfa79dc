package dev.midcourse.hub.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.json.JsonCodec;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DenialLogTest {
  private static final RunId RUN = RunId.of("some-run");

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Ledger ledger;
  private DenialLog denials;

  @BeforeEach
  void open() {
    ledger = SqliteLedger.open(folder.resolve("ledger.db"));
    denials = new DenialLog(ledger, () -> now);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private static Caller agent(int number) {
    return new Caller.Worker(GroupName.of("any"), RunId.of("agent-" + number));
  }

  /** Returns caller, action and count of the logged refusals. */
  private List<String> logged() {
    return ledger.log().after(0, Log.Filter.ALL, 10_000).entries().stream()
        .map(entry -> JsonCodec.mapper().readTree(entry.json()))
        .map(DenialLogTest::words)
        .toList();
  }

  private static String words(JsonNode event) {
    return event.path("what").asString("") + " x" + event.path("times").asInt(1);
  }

  /** Seen to fail when each refusal is an event. */
  @Test
  void repetitions_are_counted_and_a_new_refusal_is_logged_at_once() {
    for (int i = 0; i < 1_000; i++) {
      denials.note(agent(1), RUN, "stop it", "no");
    }
    assertThat(logged()).containsExactly("stop it x1");
    denials.note(agent(1), RUN, "steer it", "no");
    denials.note(agent(2), RUN, "stop it", "no");
    denials.note(agent(1), RUN, "stop it", "for another reason");
    denials.note(agent(1), RunId.of("another-run"), "stop it", "no");
    assertThat(logged())
        .containsExactly("stop it x1", "steer it x1", "stop it x1", "stop it x1", "stop it x1");
    now = now.plus(DenialLog.PERIOD);
    denials.note(agent(3), RUN, "look", "no");
    assertThat(logged()).endsWith("stop it x999", "look x1").hasSize(7);
    denials.note(agent(1), RUN, "stop it", "no");
    assertThat(logged()).as("after a while it is new again").endsWith("stop it x1").hasSize(8);
  }

  /** Seen to fail when each refusal that differs is an event. */
  @Test
  void a_flood_of_different_refusals_is_logged_in_part_and_the_rest_as_a_count() {
    for (int i = 0; i < 1_000; i++) {
      denials.note(agent(1), RUN, "start a run of worker-" + i, "no");
    }
    assertThat(logged()).hasSize(DenialLog.MAX_LOGGED);
    now = now.plus(DenialLog.PERIOD);
    denials.note(agent(1), RUN, "look", "no");
    assertThat(logged())
        .hasSize(DenialLog.MAX_LOGGED + 2)
        .contains("do other things x" + (1_000 - DenialLog.MAX_LOGGED));
  }

  /** Seen to fail when every caller is kept in memory. */
  @Test
  void of_too_many_callers_the_count_of_the_first_is_logged_early() {
    denials.note(agent(0), RUN, "stop it", "no");
    denials.note(agent(0), RUN, "stop it", "no");
    denials.note(agent(0), RUN, "stop it", "no");
    for (int i = 1; i <= DenialLog.MAX_CALLERS; i++) {
      denials.note(agent(i), RUN, "look", "no");
    }
    assertThat(logged()).hasSize(DenialLog.MAX_CALLERS + 2).contains("stop it x2");
  }
}
