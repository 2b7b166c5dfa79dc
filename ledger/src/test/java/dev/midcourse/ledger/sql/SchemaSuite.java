package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.ledger.DispatchKey;
import dev.midcourse.ledger.sql.jdbc.Migrations;
import dev.midcourse.ledger.sql.jdbc.SqlSession;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What every store promises of its schema: made once, and never touched by a build that is older.
 */
public abstract class SchemaSuite extends StoreSuite {
  private static final String STEPS = "SELECT name FROM migrations ORDER BY version";

  private static final String OLD_RUN =
      """
      INSERT INTO runs (run_id, nr, state, agent, worker, dir, author_group, author_origin, pending,
        most_attempts, attempt, failures, turn, stop_asked, prompt_due, needs, input_tokens,
        output_tokens, micro_dollars, created_at)
      VALUES (?, ?, 'failed_contract', 'a', 'w', '/d', 'g', 'o', 'all',
        5, 1, 0, 11, FALSE, FALSE, 'failed contract', 0, 0, 0, 0)
      """;

  private static final String OLD_EVENT =
      "INSERT INTO events (cursor, at, run_id, kind, body) VALUES (?, 0, ?, ?, '{}')";

  private static final String OLD_SETTING = "INSERT INTO keepsakes (name, value) VALUES (?, ?)";

  private static final String OLD_TURN =
      """
      INSERT INTO turns (
        run_id, number, attempt, message, steers, taken, opened_at, ended_at, how, answer)
      VALUES ('r', ?, 1, ?, '', TRUE, 0, 0, 'completed', '')
      """;

  @Test
  void each_step_is_applied_once() {
    List<String> steps = place.ask(STEPS);
    reopen();
    assertThat(steps).isNotEmpty().isEqualTo(place.ask(STEPS));
  }

  @Test
  void a_ledger_of_a_newer_version_is_left_alone() {
    ledger.close();
    place.execute("INSERT INTO migrations VALUES (999, '999-from-the-future', 'x', 0)");
    assertThatThrownBy(place::open)
        .satisfies(unavailable("newer Midcourse", "999", "upgrade Midcourse"));
    assertThat(place.ask(STEPS)).contains("999-from-the-future");
  }

  @Test
  void a_ledger_made_from_other_texts_is_left_alone() {
    ledger.close();
    place.execute("UPDATE migrations SET checksum = 'other' WHERE version = 1");
    assertThatThrownBy(place::open).satisfies(unavailable("001-ledger", "restore"));
  }

  @Test
  void turns_of_a_version_that_stored_no_purpose_get_it_from_their_messages() throws Exception {
    String before = frame("]\n\nfix\n\nthe parser");
    String after = frame("fix the tests too");
    String goOn =
        "Your process ended before the task was done and was started again in the same session."
            + " Go on with the task where you left off.";
    String repair = "Your work is not accepted yet: the completion does not hold.\n- branch: fix";
    ledger.close();
    place = newPlace();
    try (SqlSession old = new SqlSession(place.dialect().connectToWrite(), place.dialect())) {
      Migrations.bring(old, place.dialect(), Instant.EPOCH, 3);
      place.dialect().beginAlone(old);
      old.update(OLD_RUN, "r", 1);
      old.update("INSERT INTO briefs (run_id, prompt) VALUES ('r', 'fix')");
      putOld(old, 1, before + "\n\nfix");
      putOld(old, 2, "fix");
      putOld(old, 3, "the prompt before a restart");
      putOld(old, 4, after);
      putOld(old, 5, before + "\n\n" + after);
      putOld(old, 6, goOn);
      putOld(old, 7, before + "\n\n" + goOn + "\n\n" + after);
      putOld(old, 8, repair);
      putOld(old, 9, "");
      putOld(old, 10, before + "\n\nfix\n\n" + after);
      putOld(old, 11, before + "\n\nfix");
      old.update("COMMIT");
    }
    ledger = place.open();
    assertThat(look.turns(RunId.of("r")))
        .extracting(TurnRecord::purpose)
        .containsExactly(
            TurnPurpose.TASK,
            TurnPurpose.TASK,
            TurnPurpose.TASK,
            TurnPurpose.STEERS,
            TurnPurpose.STEERS,
            TurnPurpose.CONTINUE,
            TurnPurpose.CONTINUE,
            TurnPurpose.REPAIR,
            TurnPurpose.AGENT,
            TurnPurpose.TASK,
            TurnPurpose.TASK);
    assertThat(look.turns(RunId.of("r"))).allMatch(TurnRecord::completed);
    assertThat(look.run(RunId.of("r")).orElseThrow().needs()).contains(new Need.FailedContract());
  }

  private static void putOld(SqlSession old, int number, String message) {
    old.update(OLD_TURN, number, message);
  }

  private static String frame(String text) {
    return "[midcourse steer st_1 from a via b, 9 bytes: a correction]\n"
        + text
        + "\n[end of midcourse steer st_1]";
  }

  /** Seen to fail when the migration does not compare the cursor of a key. */
  @Test
  void the_keys_of_dispatches_that_an_earlier_version_stored_are_carried_over() throws Exception {
    GroupName group = GroupName.of("g");
    ledger.close();
    place = newPlace();
    try (SqlSession old = new SqlSession(place.dialect().connectToWrite(), place.dialect())) {
      Migrations.bring(old, place.dialect(), Instant.EPOCH, 4);
      place.dialect().beginAlone(old);
      old.update(OLD_RUN, "run", 1);
      old.update(OLD_RUN, "older", 2);
      old.update(OLD_EVENT, 1, "run", "noted");
      old.update(OLD_EVENT, 2, "run", "run_restarted");
      old.update(OLD_EVENT, 3, "older", "run_restarted");
      old.update(OLD_SETTING, "dispatch.g.run", "mailbox-1 1");
      old.update(OLD_SETTING, "dispatch.g.older", "mailbox-2 3");
      old.update(OLD_SETTING, "clock", "12");
      old.update("COMMIT");
    }
    ledger = place.open();
    assertThat(look.dispatchKey(group, IdempotencyKey.of("mailbox-1")))
        .contains(
            new DispatchKey(
                group, IdempotencyKey.of("mailbox-1"), RunId.of("run"), Optional.empty()));
    assertThat(look.dispatchKey(group, IdempotencyKey.of("mailbox-2"))).isEmpty();
    assertThat(place.ask("SELECT name FROM keepsakes")).contains("clock");
    assertThat(place.ask("SELECT name FROM keepsakes WHERE name LIKE 'dispatch.%'")).isEmpty();
  }

  /** Checks for an error of the store with this text. */
  public static Consumer<Throwable> unavailable(String... words) {
    return thrown -> {
      assertThat(thrown).isInstanceOf(RefusedException.class);
      assertThat(((RefusedException) thrown).problem().code()).isEqualTo(Code.UNAVAILABLE);
      assertThat(((RefusedException) thrown).problem().field()).isEqualTo("ledger");
      assertThat(thrown.getMessage()).contains(words);
    };
  }
}
