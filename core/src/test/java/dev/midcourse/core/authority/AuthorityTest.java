package dev.midcourse.core.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorityTest {
  private static final RunId OWN = RunId.of("own");
  private static final RunId OTHER = RunId.of("other");
  private static final WorkerName JARVIS_1 = WorkerName.of("jarvis-worker-1");
  private static final WorkerName JARVIS_2 = WorkerName.of("jarvis-worker-2");
  private static final Caller WORKER = new Caller.Worker(GroupName.of("jarvis-worker-1"), OWN);

  private static final List<Action> EVERYTHING_BUT_LOOKING_AT_ITS_OWN_RUN =
      List.of(
          new Action.See(OTHER, JARVIS_2),
          new Action.SeeAll(),
          new Action.ListRuns(),
          new Action.Dispatch(JARVIS_1),
          new Action.Start(JARVIS_1, false),
          new Action.Tell(GroupName.of("jarvis-worker-2")),
          new Action.Direct(OWN, JARVIS_1, "steer"),
          new Action.Direct(OTHER, JARVIS_2, "stop"),
          new Action.Answer(OWN, JARVIS_1),
          new Action.SpeakAs(GroupName.of("andy-developer")),
          new Action.Keep("end the hub"));

  @Test
  void main_may_do_everything() {
    Caller person = new Caller.Main("cli");
    assertThat(EVERYTHING_BUT_LOOKING_AT_ITS_OWN_RUN)
        .allMatch(action -> Authority.objection(person, action).isEmpty());
    assertThat(Authority.objection(person, new Action.See(OWN, JARVIS_1))).isEmpty();
  }

  @Test
  void an_agents_own_process_may_look_at_its_own_run() {
    assertThat(Authority.objection(WORKER, new Action.See(OWN, JARVIS_1))).isEmpty();
  }

  @Test
  void an_agents_own_process_may_do_nothing_else_not_even_answer_its_own_question() {
    for (Action action : EVERYTHING_BUT_LOOKING_AT_ITS_OWN_RUN) {
      assertThat(Authority.objection(WORKER, action))
          .as(action.description())
          .map(Problem::code)
          .contains(Code.FORBIDDEN);
    }
  }

  @Test
  void an_unauthenticated_caller_may_not_even_read() {
    Caller stranger = new Caller.Unauthenticated("its process cannot be seen");
    assertThat(Authority.objection(stranger, new Action.See(OWN, JARVIS_1)).orElseThrow().message())
        .isEqualTo("its process cannot be seen: may not see run own");
  }

  @Test
  void what_an_agent_asks_for_is_recorded_under_its_worker_and_never_under_main() {
    assertThat(WORKER.author().group()).isEqualTo(GroupName.of("jarvis-worker-1"));
    assertThat(new Caller.Unauthenticated("x").author().group()).isNotEqualTo(GroupName.of("main"));
  }
}
