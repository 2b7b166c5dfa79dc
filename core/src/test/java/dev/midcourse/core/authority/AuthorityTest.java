package dev.midcourse.core.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.ScheduleId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
          new Action.StartLoop(Optional.empty()),
          new Action.SeeLoop(LoopId.of("a-loop"), JARVIS_1),
          new Action.DirectLoop(LoopId.of("a-loop"), JARVIS_1, "steer"),
          new Action.Tell(GroupName.of("jarvis-worker-2")),
          new Action.Direct(OWN, JARVIS_1, "steer"),
          new Action.Direct(OTHER, JARVIS_2, "stop"),
          new Action.Answer(OWN, JARVIS_1),
          new Action.Converse(OWN, false),
          new Action.Converse(OTHER, true),
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

  private static Action add(WorkerName worker, boolean check) {
    return new Action.AddSchedule(worker, true, check, Optional.of(JARVIS_1));
  }

  private static Action change(WorkerName worker, Author createdBy, boolean check) {
    return new Action.ChangeSchedule(
        ScheduleId.of("daily"), worker, createdBy, check, Optional.of(JARVIS_1));
  }

  /** Seen to fail when the worker of the agent's run is not compared. */
  @Test
  void an_agent_schedules_for_its_own_worker_only_and_changes_what_agents_of_it_added() {
    Author agent = WORKER.author();
    assertThat(Authority.objection(WORKER, add(JARVIS_1, false))).isEmpty();
    assertThat(Authority.objection(WORKER, change(JARVIS_1, agent, false))).isEmpty();
    assertThat(Authority.objection(WORKER, new Action.SeeSchedule(JARVIS_1, Optional.of(JARVIS_1))))
        .isEmpty();
    for (Action refused :
        List.of(
            add(JARVIS_2, false),
            change(JARVIS_2, agent, false),
            change(JARVIS_1, Author.person("cli"), false),
            new Action.AddSchedule(JARVIS_1, true, false, Optional.empty()),
            new Action.SeeSchedule(JARVIS_2, Optional.of(JARVIS_1)))) {
      assertThat(Authority.objection(WORKER, refused))
          .as(refused.description())
          .map(Problem::code)
          .contains(Code.FORBIDDEN);
    }
  }

  /** A check is a program that the hub calls outside of every sandbox. */
  @Test
  void only_main_names_a_check() {
    assertThat(Authority.objection(new Caller.Main("cli"), add(JARVIS_1, true))).isEmpty();
    assertThat(Authority.objection(WORKER, add(JARVIS_1, true))).isPresent();
    assertThat(Authority.objection(WORKER, change(JARVIS_1, WORKER.author(), true))).isPresent();
    Caller owner =
        new Caller.Person(
            List.of(
                new RoleGrant(
                    PersonId.of("p-1"),
                    PersonRole.OWNER,
                    Optional.empty(),
                    Optional.empty(),
                    Instant.EPOCH)),
            Author.person("telegram"));
    assertThat(Authority.objection(owner, add(JARVIS_1, false))).isEmpty();
    assertThat(Authority.objection(owner, add(JARVIS_1, true))).isPresent();
  }

  /** A loop works in any folder and runs a command. Seen to fail when a lead may start one. */
  @Test
  void only_main_starts_a_loop_and_a_lead_directs_those_of_its_workers() {
    LoopId loop = LoopId.of("a-loop");
    Group lead =
        new Group(GroupName.of("andy"), Role.LEAD, List.of(NamePattern.of(JARVIS_1.value())));
    Group observer = new Group(GroupName.of("olga"), Role.OBSERVER, List.of());
    assertThat(Authority.objection(new Caller.Main("cli"), new Action.StartLoop(Optional.empty())))
        .isEmpty();
    for (Group group : List.of(lead, observer)) {
      assertThat(
              Authority.objection(
                  agent(group, Optional.empty()), new Action.StartLoop(Optional.empty())))
          .isPresent();
    }
    Caller andy = agent(lead, Optional.empty());
    assertThat(Authority.objection(andy, new Action.SeeLoop(loop, JARVIS_1))).isEmpty();
    assertThat(Authority.objection(andy, new Action.DirectLoop(loop, JARVIS_1, "steer"))).isEmpty();
    assertThat(Authority.objection(andy, new Action.DirectLoop(loop, JARVIS_2, "steer")))
        .isPresent();
    Caller olga = agent(observer, Optional.empty());
    assertThat(Authority.objection(olga, new Action.SeeLoop(loop, JARVIS_2))).isEmpty();
    assertThat(Authority.objection(olga, new Action.DirectLoop(loop, JARVIS_2, "stop")))
        .isPresent();
  }

  @Test
  void the_agent_of_a_conversation_may_write_in_its_chat_whatever_the_role_of_its_worker() {
    Action inChat = new Action.Converse(OWN, true);
    assertThat(Authority.objection(WORKER, inChat)).isEmpty();
    for (Role role : List.of(Role.LEAD, Role.OBSERVER, Role.MEMBER)) {
      Group group = new Group(GroupName.of("andy"), role, List.of());
      assertThat(Authority.objection(agent(group, Optional.of(OWN)), inChat))
          .as("" + role)
          .isEmpty();
      assertThat(Authority.objection(agent(group, Optional.of(OTHER)), inChat)).isPresent();
      assertThat(Authority.objection(agent(group, Optional.empty()), inChat)).isPresent();
    }
  }

  @Test
  void a_person_does_not_write_as_an_agent() {
    Action inChat = new Action.Converse(OWN, true);
    Author ann = new Author(GroupName.of("chat"), "test:ann");
    RoleGrant owner =
        new RoleGrant(
            PersonId.of("p-ann"),
            PersonRole.OWNER,
            Optional.empty(),
            Optional.empty(),
            Instant.EPOCH);
    assertThat(Authority.objection(new Caller.Person(List.of(owner), ann), inChat)).isPresent();
    assertThat(Authority.objection(new Caller.Unauthenticated("x"), inChat)).isPresent();
  }

  private static Caller agent(Group group, Optional<RunId> own) {
    return new Caller.Member(group, "agent", own);
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
