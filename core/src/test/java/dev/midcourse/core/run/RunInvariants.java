package dev.midcourse.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** What must hold of every run, and of every step from one to the next. */
final class RunInvariants {
  private RunInvariants() {}

  static void hold(Run run) {
    boolean live = run.state().live();
    boolean running = run.state() == RunState.RUNNING;
    assertThat(run.endedAt().isPresent()).as("ended: %s", run).isEqualTo(!live);
    assertThat(run.result().isPresent()).as("result: %s", run).isEqualTo(!live);
    assertThat(run.lease().isPresent()).as("owned: %s", run).isEqualTo(running);
    if (run.state() != RunState.QUEUED) {
      assertThat(run.notBefore()).as("pause: %s", run).isEmpty();
    }
    if (!live) {
      assertThat(run.stopAsked()).as("nothing is left to stop: %s", run).isFalse();
    }
    if (running) {
      assertThat(run.attempt()).isPositive();
      assertThat(run.startedAt()).isPresent();
    }
    if (run.attempt() == 0) {
      assertThat(run.startedAt()).isEmpty();
    }
    if (!running) {
      assertThat(run.idle()).as("idle: %s", run).isEmpty();
    }
    assertThat(run.idled()).as("idled: %s", run).isGreaterThanOrEqualTo(Duration.ZERO);
    assertThat(run.failures()).isNotNegative();
  }

  static void hold(Run before, RunChange change, Run next) {
    hold(next);
    assertThat(next.id()).isEqualTo(before.id());
    assertThat(next.createdAt()).isEqualTo(before.createdAt());
    assertThat(next.steers()).isEqualTo(before.steers());
    boolean picked = change instanceof RunChange.Picked;
    assertThat(next.attempt()).isEqualTo(before.attempt() + (picked ? 1 : 0));
    boolean opened = change instanceof RunChange.TurnOpened;
    assertThat(next.turn()).isEqualTo(before.turn() + (opened ? 1 : 0));
    assertThat(next.spent().inputTokens()).isGreaterThanOrEqualTo(before.spent().inputTokens());
    RunChanges.attempt(change)
        .ifPresent(attempt -> assertThat(attempt).as("%s", change).isEqualTo(before.attempt()));
    if (!(change instanceof RunChange.Restarted)) {
      assertThat(next.spec()).isEqualTo(before.spec());
    }
    wayIsAllowed(before.state(), change, next.state());
  }

  /** The only ways from one state to the next. */
  private static void wayIsAllowed(RunState from, RunChange change, RunState to) {
    boolean allowed =
        switch (change) {
          case RunChange.Picked _ -> from == RunState.QUEUED && to == RunState.RUNNING;
          case RunChange.AttemptLost _ -> from == RunState.RUNNING && to == RunState.QUEUED;
          case RunChange.Finished _ ->
              !to.live()
                  && (from == RunState.RUNNING
                      || (from == RunState.QUEUED && to == RunState.STOPPED));
          case RunChange.Restarted _ -> from.retryable() && to == RunState.QUEUED;
          case RunChange.ReviewAccepted _ ->
              from == RunState.REVIEW_REQUESTED && to == RunState.DONE;
          case RunChange.NeedDismissed _ -> to == from;
          case RunChange.StopAsked _ -> from.live() && to == from;
          case RunChange.LeaseKept _,
              RunChange.SessionNamed _,
              RunChange.TurnOpened _,
              RunChange.WentIdle _,
              RunChange.Progressed _,
              RunChange.Used _,
              RunChange.Needs _,
              RunChange.TurnFinished _ ->
              from == RunState.RUNNING && to == from;
        };
    assertThat(allowed).as("from %s to %s by %s", from, to, change).isTrue();
  }
}
