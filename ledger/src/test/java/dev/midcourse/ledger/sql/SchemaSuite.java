package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What every store promises of its schema: made once, and never touched by a build that is older.
 */
abstract class SchemaSuite extends StoreSuite {
  private static final String STEPS = "SELECT name FROM migrations ORDER BY version";

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

  /** A refusal that says it is the store's, and these words. */
  static Consumer<Throwable> unavailable(String... words) {
    return thrown -> {
      assertThat(thrown).isInstanceOf(RefusedException.class);
      assertThat(((RefusedException) thrown).problem().code()).isEqualTo(Code.UNAVAILABLE);
      assertThat(((RefusedException) thrown).problem().field()).isEqualTo("ledger");
      assertThat(thrown.getMessage()).contains(words);
    };
  }
}
