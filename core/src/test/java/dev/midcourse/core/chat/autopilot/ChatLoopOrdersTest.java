package dev.midcourse.core.chat.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.CommitState;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopStep;
import dev.midcourse.core.steer.Author;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The orders of people in chats, and the cards that they get. */
class ChatLoopOrdersTest {
  private static final Instant NOW = Instant.parse("2026-11-18T09:00:00Z");
  private static final Author ANN = Author.person("chat");

  private static Loop loop(String id) {
    return Loop.created(
        LoopId.of(id),
        new LoopSpec(
            HostName.of("here"),
            "/srv/shop",
            BranchName.of("main"),
            BranchName.of("work"),
            WorkerName.of("andy"),
            AgentName.of("claude"),
            new LoopReviewer.OfPerson(),
            Optional.empty(),
            LoopSpec.DEFAULT_REVIEW_TIMEOUT,
            LoopSpec.DEFAULT_CI_TIMEOUT),
        LoopBudget.DEFAULT,
        false,
        "Fix the login",
        ANN,
        NOW);
  }

  private static Loop after(Loop loop, LoopFact fact) {
    return switch (LoopStep.apply(loop, fact, NOW.plusSeconds(60))) {
      case Transition.Changed<LoopChange>(LoopChange change) -> change.next();
      case Transition.Stale<LoopChange> _, Transition.Rejected<LoopChange> _ ->
          throw new AssertionError(fact);
    };
  }

  private static CommitState commit(String name) {
    return new CommitState(name.repeat(40), name, true, true, true, List.of(), List.of());
  }

  /** A loop that waits for the review of a person. */
  private static Loop reviewed() {
    Loop prepared = after(loop("fix-1"), new LoopFact.Prepared("0".repeat(40), commit("a")));
    return after(
        prepared,
        new LoopFact.WorkEnded(
            1, new CallEnd.Answered("done"), commit("b"), Usage.NOTHING, Set.<SteerId>of()));
  }

  private static Loop stopped(String id) {
    return after(loop(id), new LoopCommand.Stop(ANN));
  }

  /** The order as words; the loops are live unless their name begins with {@code old}. */
  private static String read(String argument, String loops) {
    List<Loop> known =
        loops.isBlank()
            ? List.of()
            : Arrays.stream(loops.split(" "))
                .map(id -> id.startsWith("old") ? stopped(id) : loop(id))
                .toList();
    return ChatLoopOrders.read(argument.replace("<NL>", "\n"), known).toString().replace('\n', '|');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fix-1 | Fix the login page | Start[task=Fix the login page, byPerson=false]",
        "'' | --reviewer me Fix it | Start[task=Fix it, byPerson=true]",
        "fix-1 | status | Status[]",
        "fix-1 | status of the shop page | Start[task=status of the shop page, byPerson=false]",
        "fix-1 | stop the flaky test | Start[task=stop the flaky test, byPerson=false]",
        "fix-1 | stop | Stop[loop=fix-1]",
        "fix-1 old-2 | STOP | Stop[loop=fix-1]",
        "fix-1 log-2 | stop | Name the loop: fix-1, log-2",
        "fix-1 log-2 | stop log | Stop[loop=log-2]",
        "fix-1 log-2 | stop other | Name the loop: fix-1, log-2",
        "fix-1 | stop other | There is no loop other here.",
        "fix-1 fix-12 | stop fix | Name the loop: fix-1, fix-12",
        "fix-1 fix-12 | stop fix-1 | Stop[loop=fix-1]",
        "old-1 | show old | Show[loop=old-1]",
        "old-1 | stop | No loop goes on here",
        "'' | findings | No loop goes on here",
        "fix-1 | steer keep the API | Steer[loop=fix-1, scope=NOW, text=keep the API]",
        "fix-1 log-2 | steer log-2 keep it | Steer[loop=log-2, scope=NOW, text=keep it]",
        "fix-1 | steer --standing keep it | Steer[loop=fix-1, scope=STANDING, text=keep it]",
        "fix-1 | steer fix-1 --next<NL>a<NL>b | Steer[loop=fix-1, scope=NEXT, text=a|b]",
        "fix-1 | steer --force it | Steer[loop=fix-1, scope=NOW, text=--force it]",
        "fix-1 | steer | Add the text.",
        "fix-1 | drop F2 it is wrong | Decide[loop=fix-1, finding=F2, decision=DROP, why=it is wrong]",
        "fix-1 | drop F2 | Add the reason.",
        "fix-1 | uphold f2 | Decide[loop=fix-1, finding=F2, decision=UPHOLD, why=]",
        "fix-1 | nit all | Add the finding",
        "fix-1 | go | Go[loop=fix-1, moreFixes=0]",
        "fix-1 | go +3 | Go[loop=fix-1, moreFixes=3]",
        "fix-1 | go 101 | with more fixes: /autopilot go +3",
        "fix-1 | skip | Skip[loop=fix-1]",
        "fix-1 | pause | Pause[loop=fix-1]",
        "fix-1 | land | Land[loop=fix-1]",
        "fix-1 | approve | Approve[loop=fix-1]",
        "fix-1 | reject fix-1<NL>a.txt:1: x<NL>y | Reject[loop=fix-1, findings=a.txt:1: x|y]",
        "fix-1 | reject | Add the findings.",
        "fix-1 | '' | /autopilot TASK",
      })
  void an_argument_is_a_verb_with_its_loop_or_a_task(
      String loops, String argument, String expected) {
    assertThat(read(argument, loops)).contains(expected);
  }

  @Test
  void a_loop_that_waits_for_a_person_asks_for_a_review_of_its_commit() {
    LoopCard card = LoopCard.of(reviewed()).orElseThrow();
    assertThat(card.about()).isEqualTo("b".repeat(40));
    assertThat(card.text()).contains("bbbbbbbbbb").contains("Reply with findings");
    assertThat(card.choices()).containsExactly(LoopChoice.APPROVE, LoopChoice.STOP);
    assertThat(LoopCard.end(reviewed())).isEmpty();
  }

  @Test
  void a_parked_loop_asks_its_question_and_offers_to_skip_only_a_wait() {
    Loop paused = after(reviewed(), new LoopCommand.Pause(ANN));
    assertThat(LoopCard.of(paused).orElseThrow().choices())
        .containsExactly(LoopChoice.GO, LoopChoice.STOP);
    Loop late =
        switch (LoopStep.apply(
            reviewed(),
            new LoopFact.TimePassed(),
            NOW.plusSeconds(60).plus(LoopSpec.DEFAULT_REVIEW_TIMEOUT))) {
          case Transition.Changed<LoopChange>(LoopChange change) -> change.next();
          case Transition.Stale<LoopChange> _, Transition.Rejected<LoopChange> _ ->
              throw new AssertionError("not late");
        };
    assertThat(LoopCard.of(late).orElseThrow().choices())
        .containsExactly(LoopChoice.GO, LoopChoice.SKIP, LoopChoice.STOP);
    assertThat(LoopCard.of(late).orElseThrow().about())
        .isNotEqualTo(LoopCard.of(paused).orElseThrow().about());
  }

  @Test
  void the_end_of_a_loop_is_told_with_its_branch() {
    assertThat(LoopCard.end(stopped("fix-1")).orElseThrow())
        .contains("fix-1 is stopped")
        .contains("branch is work");
    assertThat(LoopCard.of(stopped("fix-1"))).isEmpty();
  }
}
