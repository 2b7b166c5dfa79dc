package dev.midcourse.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.schedule.MissedTimePolicy;
import dev.midcourse.core.schedule.Schedule;
import dev.midcourse.core.schedule.ScheduleRun;
import dev.midcourse.engine.timer.ManualTimers;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.RunQuery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub that ends at any use of the ledger while it carries out a due time. */
class ScheduleCrashTest {
  private static final Instant NINE = Instant.parse("2026-11-18T08:00:00Z");

  /** Ends the service in the middle of its work, as a kill of the hub would. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A ledger whose user is killed before or after a certain call. */
  private static final class FatalLedger {
    private final Ledger ledger;
    private final int fatal;
    private final boolean after;
    private int calls;

    FatalLedger(Ledger ledger, int fatal, boolean after) {
      this.ledger = ledger;
      this.fatal = fatal;
      this.after = after;
    }

    Ledger use() {
      return (Ledger)
          Proxy.newProxyInstance(
              Ledger.class.getClassLoader(),
              new Class<?>[] {Ledger.class},
              (_, method, values) -> {
                calls++;
                if (calls == fatal && !after) {
                  throw new Killed();
                }
                Object result;
                try {
                  result = method.invoke(ledger, values);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
                if (calls == fatal) {
                  throw new Killed();
                }
                return result;
              });
    }
  }

  /** Seen to fail when the row of the due time and the run are written in two transactions. */
  @Test
  void a_due_time_is_carried_out_once_wherever_the_hub_ends(@TempDir Path folder) {
    int killed = 0;
    for (MissedTimePolicy missed : MissedTimePolicy.values()) {
      try (ScheduleFixture fixture = new ScheduleFixture(folder.resolve(missed.wire()))) {
        Schedule schedule = fixture.add("0 9 * * *", missed);
        Instant due = NINE;
        for (int call = 1; call <= 6; call++) {
          for (boolean after : new boolean[] {false, true}) {
            killed += fireWith(fixture, call, after, due) ? 1 : 0;
            fixture.restartAt(due.plusSeconds(30));
            Instant expected = due;
            assertThat(fixture.runs(schedule.id()))
                .filteredOn(run -> run.due().equals(expected))
                .hasSize(1);
            due = due.plus(Duration.ofDays(1));
            assertThat(fixture.now(schedule.id()).nextAt()).contains(due);
          }
        }
        assertThat(fixture.runs(schedule.id())).hasSize(12);
        assertThat(fixture.started(schedule.id()))
            .allSatisfy(run -> assertThat(fixture.engine.now(run)).isNotNull());
        assertThat(fixture.engine.ledger.<Integer>read(r -> r.runs(RunQuery.newest(100)).size()))
            .isEqualTo(fixture.started(schedule.id()).size());
        assertThat(fixture.runs(schedule.id()))
            .extracting(ScheduleRun::due)
            .doesNotHaveDuplicates();
      }
    }
    assertThat(killed).isGreaterThan(15);
  }

  /** Whether the hub ended. */
  private static boolean fireWith(ScheduleFixture fixture, int call, boolean after, Instant due) {
    fixture.timers.close();
    ManualTimers timers = new ManualTimers(due.minusSeconds(1));
    FatalLedger ledger = new FatalLedger(fixture.engine.ledger, call, after);
    try {
      fixture.service(ledger.use(), timers).start();
      timers.moveTo(due);
      return false;
    } catch (Killed expected) {
      return true;
    }
  }

  /** Two hubs on one store, whose timers are called at the same time. */
  @Test
  void two_services_carry_out_a_due_time_once(@TempDir Path folder) {
    try (ScheduleFixture fixture = new ScheduleFixture(folder)) {
      Schedule schedule = fixture.add("0 9 * * *", MissedTimePolicy.ALL);
      ManualTimers others = new ManualTimers(NINE.minusSeconds(1));
      fixture.service(fixture.engine.ledger, others).start();
      fixture.beforeStart =
          () -> {
            fixture.beforeStart = () -> {};
            others.moveTo(NINE);
          };
      fixture.timers.moveTo(NINE);
      assertThat(fixture.started(schedule.id())).hasSize(1);
      assertThat(fixture.engine.ledger.<Integer>read(r -> r.runs(RunQuery.newest(9)).size()))
          .isEqualTo(1);
    }
  }
}
