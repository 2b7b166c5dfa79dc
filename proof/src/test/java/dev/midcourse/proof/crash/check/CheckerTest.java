package dev.midcourse.proof.crash.check;

import static dev.midcourse.proof.crash.check.Forgery.RUN;
import static dev.midcourse.proof.crash.check.Forgery.id;
import static dev.midcourse.proof.crash.check.Forgery.sent;
import static dev.midcourse.proof.crash.check.Forgery.steer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerFrame;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.proof.crash.CrashDrill;
import dev.midcourse.proof.crash.Findings;
import dev.midcourse.proof.crash.hub.DrillAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checker of the drills finds every forged fault, and no fault in correct data. */
class CheckerTest {
  private final Forgery forgery = new Forgery().delivers(3);

  @Test
  void what_was_stored_taken_in_once_and_in_order_and_answered_is_clean() {
    assertThat(forgery.verdict().clean()).isTrue();
    assertThat(forgery.verdict().ends()).isEqualTo(Map.of("answered", 3L));
  }

  @Test
  void a_steer_that_the_ledger_lost_is_found() {
    forgery.ledger.removeLast();
    CheckResult verdict = forgery.verdict();
    assertThat(verdict.lost()).containsExactly("k2 of " + RUN + " is not in the ledger");
    assertThat(verdict.strays()).as("its agent had it").hasSize(1);
  }

  @Test
  void a_steer_that_is_called_answered_and_never_reached_the_agent_is_found() {
    forgery.notes.remove(forgery.notes.size() - 1);
    forgery.ledger.set(2, steer(2, SteerEnd.ANSWERED, Rung.ACCEPTED));
    assertThat(forgery.verdict().lost()).singleElement().asString().contains("k2", "answered");
  }

  @Test
  void a_steer_that_is_still_open_is_found() {
    forgery.ledger.set(2, steer(id(2), 2, "remark 2", Optional.empty(), Rung.ACCEPTED));
    assertThat(forgery.verdict().lost()).singleElement().asString().contains("k2", "still open");
  }

  @Test
  void a_steer_that_was_taken_in_twice_is_found() {
    forgery.opened(2, 1);
    assertThat(forgery.verdict().doubled()).containsExactly("k1 of " + RUN + ", 2 times");
  }

  @Test
  void one_key_that_was_stored_and_taken_in_under_two_ids_is_found() {
    SteerId other = id(77);
    Steer twin = steer(other, 2, "remark 2", Optional.of(SteerEnd.ANSWERED), Rung.ANSWERED);
    forgery.ledger.add(twin);
    forgery.notes.add(new RehearsalEvent.Took(other, SteerFrame.of(twin, SteerMode.STEER)));
    assertThat(forgery.verdict().doubled())
        .hasSize(2)
        .allSatisfy(found -> assertThat(found).contains("remark 2", other.value()));
  }

  @Test
  void steers_that_were_taken_in_out_of_their_order_are_found() {
    List<RehearsalEvent> notes = new ArrayList<>(forgery.notes);
    forgery.notes.clear();
    notes.reversed().forEach(forgery.notes::add);
    assertThat(forgery.verdict().outOfOrder()).containsExactly(RUN + " took [3, 2, 1]");
  }

  @Test
  void a_rung_that_is_claimed_without_evidence_is_found() {
    forgery.notes.removeLast();
    forgery.agent = DrillAgent.FORGETFUL;
    forgery.ledger.set(2, steer(2, SteerEnd.UNKNOWN, Rung.INJECTED));
    assertThat(forgery.verdict().falseReceipts())
        .containsExactly("k2 of " + RUN + " claims injected, the agent never had it");
  }

  @Test
  void a_steer_that_was_refused_but_stored_is_found() {
    forgery.stored.removeLast();
    forgery.refused.put(sent(2), "run_ended");
    assertThat(forgery.verdict().falseReceipts())
        .singleElement()
        .asString()
        .startsWith("k2 of " + RUN + " was refused with run_ended, and is in the ledger");
  }

  @Test
  void a_refusal_without_a_good_reason_is_found() {
    forgery.refused.put(sent(3), "run_ended");
    assertThat(forgery.verdict().clean()).isTrue();
    forgery.refused.put(sent(4), "key_conflict");
    forgery.refused.put(sent(5), "too_late");
    assertThat(forgery.verdict().falseReceipts())
        .containsExactlyInAnyOrder(
            "k4 of " + RUN + " was refused with key_conflict",
            "k5 of " + RUN + " was refused with too_late");
  }

  @Test
  void a_steer_of_the_agent_that_the_ledger_does_not_know_is_found() {
    forgery.took(9);
    assertThat(forgery.verdict().strays()).singleElement().asString().contains("remark 9");
  }

  @Test
  void a_stored_steer_that_was_never_sent_is_found() {
    forgery.ledger.add(steer(9, SteerEnd.ANSWERED, Rung.ANSWERED));
    forgery.took(9);
    assertThat(forgery.verdict().strays()).containsExactly("k9 of " + RUN + " was never sent");
  }

  @Test
  void other_words_than_those_that_were_sent_are_found_wherever_they_are() {
    forgery.ledger.set(
        2, steer(id(2), 2, "another", Optional.of(SteerEnd.ANSWERED), Rung.ANSWERED));
    assertThat(forgery.verdict().falseReceipts())
        .hasSize(2)
        .anySatisfy(found -> assertThat(found).contains("the agent had"))
        .anySatisfy(found -> assertThat(found).contains("the receipt of another"));
  }

  @Test
  void another_mode_than_the_one_that_was_asked_for_is_found() {
    SentSteer asked = forgery.stored.removeLast();
    forgery.stored.add(
        new SentSteer(RUN, asked.key(), "follow_up", asked.text(), Optional.empty(), asked.id()));
    assertThat(forgery.verdict().falseReceipts()).hasSize(1);
  }

  @Test
  void an_edit_may_have_come_true_and_must_have_when_a_hub_said_so() {
    forgery.edits.put(id(2).value(), sent(2).betterText());
    assertThat(forgery.verdict().clean()).isTrue();
    forgery.edited.add(id(2).value());
    assertThat(forgery.verdict().falseReceipts()).hasSize(1);
    Steer edited =
        steer(id(2), 2, sent(2).betterText(), Optional.of(SteerEnd.ANSWERED), Rung.ANSWERED);
    forgery.ledger.set(2, edited);
    forgery.notes.set(
        forgery.notes.size() - 1,
        new RehearsalEvent.Took(id(2), SteerFrame.of(edited, SteerMode.STEER)));
    assertThat(forgery.verdict().clean()).isTrue();
  }

  @Test
  void an_unrequested_or_unstored_withdrawal_is_found() {
    forgery.withdrawals.add(id(2).value());
    assertThat(forgery.verdict().clean()).as("too late").isTrue();
    forgery.withdrawn.add(id(2).value());
    assertThat(forgery.verdict().falseReceipts()).as("said, not done").hasSize(1);
    forgery.ledger.set(2, steer(2, SteerEnd.WITHDRAWN, Rung.STORED));
    assertThat(forgery.verdict().falseReceipts()).as("done, but delivered").hasSize(1);
    forgery.notes.removeLast();
    assertThat(forgery.verdict().clean()).isTrue();
    forgery.withdrawals.clear();
    assertThat(forgery.verdict().lost()).as("not asked for").hasSize(1);
  }

  @Test
  void a_steer_is_superseded_only_by_one_that_was_to_take_its_place() {
    forgery.notes.removeLast();
    forgery.ledger.set(2, steer(2, SteerEnd.SUPERSEDED, Rung.STORED));
    assertThat(forgery.verdict().lost()).hasSize(1);
    SentSteer newer = SentSteer.numbered(3, RUN, "steer", Optional.of(id(2).value()));
    forgery.refused.put(newer, "too_late");
    assertThat(forgery.verdict().clean()).isTrue();
  }

  @Test
  void where_the_latest_wins_a_steer_is_superseded_only_when_there_is_a_later_one() {
    forgery.policy = PendingPolicy.LATEST;
    forgery.notes.removeLast();
    forgery.ledger.set(2, steer(2, SteerEnd.SUPERSEDED, Rung.STORED));
    assertThat(forgery.verdict().lost()).hasSize(1);
    forgery.stored.add(sent(3));
    forgery.ledger.add(steer(3, SteerEnd.ANSWERED, Rung.ANSWERED));
    forgery.received(3);
    forgery.took(3);
    assertThat(forgery.verdict().clean()).isTrue();
    forgery.policy = PendingPolicy.ALL;
    assertThat(forgery.verdict().lost()).hasSize(1);
  }

  @Test
  void a_steer_expires_only_with_a_run_that_was_to_stop() {
    forgery.notes.removeLast();
    forgery.ledger.set(2, steer(2, SteerEnd.EXPIRED, Rung.STORED));
    assertThat(forgery.verdict().lost()).hasSize(1);
    forgery.stops.add(RUN);
    assertThat(forgery.verdict().clean()).isTrue();
  }

  @Test
  void a_run_is_stopped_when_and_only_when_that_was_asked_for() {
    forgery.state = RunState.STOPPED;
    assertThat(forgery.verdict().falseReceipts()).hasSize(1);
    forgery.stops.add(RUN);
    forgery.stopping.add(RUN);
    assertThat(forgery.verdict().clean()).isTrue();
    forgery.state = RunState.DONE;
    assertThat(forgery.verdict().falseReceipts()).as("kept, and not carried out").hasSize(1);
    forgery.ends();
    assertThat(forgery.verdict().clean()).as("its own end came first").isTrue();
  }

  @Test
  void unknown_is_an_end_only_with_an_agent_that_cannot_be_asked_again() {
    forgery.notes.removeLast();
    forgery.ledger.set(2, steer(2, SteerEnd.UNKNOWN, Rung.OFFERED));
    assertThat(forgery.verdict().lost()).hasSize(1);
    forgery.agent = DrillAgent.UNRECORDED;
    assertThat(forgery.verdict().clean()).isTrue();
  }

  @Test
  void what_is_written_again_is_doubled_with_an_agent_that_takes_it_again() {
    forgery.received(2);
    assertThat(forgery.verdict().writtenAgain()).isEqualTo(1);
    assertThat(forgery.verdict().clean()).as("a mindful agent").isTrue();
    forgery.agent = DrillAgent.FORGETFUL;
    assertThat(forgery.verdict().doubled())
        .containsExactly("steer " + id(2) + " was written again to the agent of " + RUN);
  }

  @Test
  void what_an_agent_let_go_or_a_dead_process_held_may_be_written_again() {
    forgery.agent = DrillAgent.FORGETFUL;
    forgery.stored.add(sent(3));
    forgery.ledger.add(steer(3, SteerEnd.CARRIED, Rung.ANSWERED));
    forgery.received(3);
    forgery.notes.add(new RehearsalEvent.LetGo(id(3)));
    forgery.received(3);
    forgery.notes.add(new RehearsalEvent.Began());
    forgery.opened(2, 3);
    assertThat(forgery.verdict().clean()).as(forgery.verdict().toString()).isTrue();
    forgery.notes.add(forgery.notes.get(forgery.notes.size() - 2));
    assertThat(forgery.verdict().doubled()).singleElement().asString().contains("turn 2");
  }

  @Test
  void a_drill_in_which_little_was_stored_or_much_is_unknown_has_shown_nothing() {
    assertThat(findings(250, 750, 0).clean()).isTrue();
    assertThat(findings(249, 751, 0).clean()).isFalse();
    assertThat(findings(1_000, 0, 200).clean()).isTrue();
    assertThat(findings(1_000, 0, 201).clean()).isFalse();
  }

  private static Findings findings(int stored, int refused, long unknown) {
    CheckResult verdict =
        new CheckResult(
            Map.of("unknown", unknown), 0, List.of(), List.of(), List.of(), List.of(), List.of());
    CrashDrill.Extent extent = new CrashDrill.Extent(1, 1, stored + refused, 1);
    return new Findings(extent, 1, 0, Map.of(), stored, refused, verdict, List.of());
  }
}
