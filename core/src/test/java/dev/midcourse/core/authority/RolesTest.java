package dev.midcourse.core.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RolesTest {
  private static final RunId RUN = RunId.of("run-1");

  /**
   * Which role may dispatch to, steer and see a run of which worker. Seen to fail when Authority
   * lets every known caller direct.
   */
  @ParameterizedTest(name = "{0} {1} to {2}: dispatch {3}, direct {4}, see {5}")
  @CsvSource({
    "main,     boss,            jarvis-worker-1, yes, yes, yes",
    "main,     boss,            andy-developer,  yes, yes, yes",
    "lead,     andy-developer,  jarvis-worker-1, yes, yes, yes",
    "lead,     andy-developer,  jarvis-worker-9, yes, yes, yes",
    "lead,     andy-developer,  andy-bot,        no,  no,  no",
    "lead,     andy-developer,  jarvis-worker-,  no,  no,  no",
    "lead,     andy-developer,  andy-developer,  no,  no,  yes",
    "observer, andy-bot,        jarvis-worker-1, no,  no,  yes",
    "observer, andy-bot,        andy-bot,        no,  no,  yes",
    "worker,   jarvis-worker-1, jarvis-worker-2, no,  no,  no",
    "worker,   jarvis-worker-1, jarvis-worker-1, no,  no,  yes",
    "member,   family,          family,          yes, yes, yes",
    "member,   family,          jarvis-worker-1, no,  no,  no",
  })
  void t27_the_matrix(
      String role, String group, String worker, String dispatch, String direct, String see) {
    Caller caller = member(role, group, Optional.empty());
    WorkerName target = WorkerName.of(worker);
    assertThat(may(caller, new Action.Dispatch(target))).isEqualTo(dispatch.equals("yes"));
    assertThat(may(caller, new Action.Direct(RUN, target, "steer")))
        .isEqualTo(direct.equals("yes"));
    assertThat(may(caller, new Action.Answer(RUN, target))).isEqualTo(direct.equals("yes"));
    assertThat(may(caller, new Action.See(RUN, target))).isEqualTo(see.equals("yes"));
    assertThat(inSight(caller, RUN, target)).isEqualTo(see.equals("yes"));
  }

  /** Would fail if what a list is made of and what a look is allowed by were two rules. */
  @Test
  void a_caller_lists_the_runs_that_it_may_read_and_its_own() {
    List<Caller> askers =
        List.of(
            new Caller.Main("cli"),
            new Caller.Worker(GroupName.of("jarvis-worker-1"), RUN),
            member("lead", "andy-developer", Optional.of(RUN)),
            member("worker", "jarvis-worker-1", Optional.of(RUN)),
            new Caller.Unauthenticated("unproved"));
    for (Caller caller : askers) {
      for (String run : List.of("run-1", "run-2")) {
        for (String worker : List.of("jarvis-worker-1", "elsewhere")) {
          assertThat(inSight(caller, RunId.of(run), WorkerName.of(worker)))
              .as("%s: %s of %s", caller, run, worker)
              .isEqualTo(may(caller, new Action.See(RunId.of(run), WorkerName.of(worker))));
        }
      }
    }
  }

  private static boolean inSight(Caller caller, RunId run, WorkerName worker) {
    return switch (Authority.sight(caller)) {
      case VisibleRuns.Everything _ -> true;
      case VisibleRuns.Only(List<NamePattern> workers, Optional<RunId> own) ->
          own.filter(run::equals).isPresent()
              || workers.stream().anyMatch(pattern -> pattern.matches(worker.value()));
    };
  }

  /** Seen to fail when every caller that directs a worker may start it in plain words. */
  @ParameterizedTest(name = "{0} {1} starts {2}, declared {3}: {4}")
  @CsvSource({
    "main,     boss,            jarvis-worker-1, true,  yes",
    "lead,     andy-developer,  jarvis-worker-1, true,  no",
    "lead,     andy-developer,  jarvis-worker-1, false, yes",
    "lead,     andy-developer,  elsewhere,       false, no",
    "member,   family,          family,          true,  no",
    "member,   family,          family,          false, yes",
    "observer, andy-bot,        andy-bot,        false, no",
    "worker,   jarvis-worker-1, jarvis-worker-1, false, no",
  })
  void a_declared_worker_is_started_in_plain_words_by_main_only(
      String role, String group, String worker, boolean declared, String start) {
    Action action = new Action.Start(WorkerName.of(worker), declared);
    assertThat(may(member(role, group, Optional.empty()), action)).isEqualTo(start.equals("yes"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lead", "observer", "worker", "member"})
  void only_main_administers_the_hub(String role) {
    Caller caller = member(role, "somebody", Optional.empty());
    assertThat(may(caller, new Action.Keep("end the hub"))).isFalse();
    assertThat(may(caller, new Action.SpeakAs(GroupName.of("andy-developer")))).isFalse();
    assertThat(may(caller, new Action.SeeAll())).isEqualTo(role.equals("observer"));
  }

  @ParameterizedTest
  @CsvSource({"main, true", "lead, true", "observer, true", "worker, false", "member, false"})
  void main_observers_and_leads_list_runs(String role, boolean may) {
    assertThat(may(member(role, "somebody", Optional.empty()), new Action.ListRuns()))
        .isEqualTo(may);
  }

  @Test
  void a_lead_may_write_to_its_workers_and_each_group_to_itself() {
    Caller lead = member("lead", "andy-developer", Optional.empty());
    assertThat(may(lead, new Action.Tell(GroupName.of("jarvis-worker-2")))).isTrue();
    assertThat(may(lead, new Action.Tell(GroupName.of("main")))).isFalse();
    Caller worker = member("worker", "jarvis-worker-1", Optional.empty());
    assertThat(may(worker, new Action.Tell(GroupName.of("jarvis-worker-1")))).isTrue();
    assertThat(may(worker, new Action.Tell(GroupName.of("jarvis-worker-2")))).isFalse();
  }

  @Test
  void an_agent_that_leads_others_cannot_direct_its_own_run() {
    Group group = new Group(GroupName.of("loop"), Role.LEAD, List.of(NamePattern.of("loop")));
    Caller itself = new Caller.Member(group, "agent", Optional.of(RUN));
    WorkerName loop = WorkerName.of("loop");
    assertThat(may(itself, new Action.See(RUN, loop))).isTrue();
    assertThat(may(itself, new Action.Direct(RUN, loop, "steer"))).isFalse();
    assertThat(may(itself, new Action.Answer(RUN, loop))).isFalse();
    assertThat(may(itself, new Action.Direct(RunId.of("other"), loop, "steer"))).isTrue();
  }

  @Test
  void a_refusal_names_caller_action_and_reason() {
    Problem why =
        Authority.objection(
                member("observer", "andy-bot", Optional.empty()),
                new Action.Dispatch(WorkerName.of("jarvis-worker-1")))
            .orElseThrow();
    assertThat(why.code()).isEqualTo(Code.FORBIDDEN);
    assertThat(why.message()).isEqualTo("observer andy-bot may not start a run of jarvis-worker-1");
    assertThat(why.rule()).isEqualTo("read only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "../x*", "a*b", "", "jarvis worker", "-x"})
  void a_pattern_is_a_name_with_at_most_a_star_at_its_end(String text) {
    Assertions.assertThatThrownBy(() -> NamePattern.of(text)).isInstanceOf(RefusedException.class);
  }

  private static boolean may(Caller caller, Action action) {
    return Authority.objection(caller, action).isEmpty();
  }

  private static Caller member(String role, String name, Optional<RunId> own) {
    List<NamePattern> workers =
        role.equals("lead") ? List.of(NamePattern.of("jarvis-worker-*")) : List.of();
    Role is = Role.valueOf(role.toUpperCase(java.util.Locale.ROOT));
    return new Caller.Member(new Group(GroupName.of(name), is, workers), "mailbox", own);
  }
}
