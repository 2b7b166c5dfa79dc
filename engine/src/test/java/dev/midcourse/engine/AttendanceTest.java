package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Heard;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.End;
import dev.midcourse.core.steer.Ending;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.steer.Turn;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressGate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An attendance without its engine: nothing wakes it but what the agent says and its own time. */
class AttendanceTest extends PuppetStage {
  private static final ProgressGate GATE = new ProgressGate(Duration.ofMillis(200));

  /**
   * Seen to fail when the attendance does not wake for it, and when it does not keep what is due.
   */
  @Test
  void progress_that_came_too_soon_is_kept_when_its_time_has_come_though_nothing_else_happens() {
    Run run = running("build it");
    house.engine().close();
    Slot slot = new Slot();
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot, false);
    slot.fromAgent(
        1,
        new Heard(
            List.of(
                new AgentEvent.Said("reads the code"),
                new AgentEvent.Said("writes a test"),
                new AgentEvent.Said("writes the code")),
            new Heard.Place(100, "memo")));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> house.now(run.id()).progress().map(Progress::summary),
            Optional.of("writes the code")::equals);
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
  }

  /**
   * The hub before it may have written the steer and died before it could keep that. Seen to fail
   * when the wish is considered as soon as it comes.
   */
  @Test
  void a_steer_is_not_called_withdrawn_before_it_is_known_what_the_agent_has() {
    Run run = running("build it");
    puppet.answersWrites(Agent.Sent.CLOGGED);
    SteerId steer = house.steer(run, "mind the gap").steerId();
    house.engine().close();
    Slot slot = new Slot();
    CompletableFuture<Steer> answer = new CompletableFuture<>();
    slot.put(new Letter.About(steer, new Letter.Wish.Withdraw("no"), answer));
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot, true);
    await().until(() -> puppet.timesTurnedAway("barrier") > 1);
    slot.fromAgent(
        1,
        new Heard(
            List.of(
                new AgentEvent.SteerAccepted(steer, "held"),
                new AgentEvent.SteerInjected(steer, "in the conversation")),
            new Heard.Place(100, "memo")));
    puppet.answersWrites(Agent.Sent.WRITTEN);
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.problem().code()).isEqualTo(Code.TOO_LATE));
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
  }

  /**
   * Else the agent would give back what it is then told anew. Seen to fail when the wish is
   * considered as soon as it comes.
   */
  @Test
  void a_steer_is_asked_back_after_it_was_written_again_and_not_before() {
    Run run = running("build it");
    SteerId steer = house.steer(run, "mind the gap").steerId();
    house.awaitRung(steer, Rung.OFFERED);
    house.engine().close();
    Slot slot = new Slot();
    slot.put(new Letter.About(steer, new Letter.Wish.Withdraw("no"), new CompletableFuture<>()));
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot, true);
    puppet.awaitTold("withdraw " + steer);
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
    assertThat(puppet.told.stream().filter(line -> line.contains(steer.value())))
        .hasSize(3)
        .last()
        .isEqualTo("withdraw " + steer);
  }

  /** Seen to fail when only the agent's own answer settles a withdrawal. */
  @Test
  void what_the_agent_turns_away_while_it_is_asked_back_is_withdrawn_and_not_written_again() {
    Run run = running("build it");
    SteerId steer = house.steer(run, "mind the gap").steerId();
    puppet.awaitTold("steer " + steer);
    CompletableFuture<Receipt> withdrawn = askedBack(steer);
    puppet.says(new AgentEvent.SteerNotTaken(steer, "no turn is running"));
    withdrawn.join();
    assertThat(ended(steer)).contains(End.WITHDRAWN);
    assertThat(puppet.timesTold("steer " + steer)).isEqualTo(1);
  }

  private CompletableFuture<Receipt> askedBack(SteerId steer) {
    CompletableFuture<Receipt> withdrawn =
        CompletableFuture.supplyAsync(() -> house.engine().steering().withdraw(steer, "no"));
    puppet.awaitTold("withdraw " + steer);
    return withdrawn;
  }

  /** Seen to fail when a withdrawal is forgotten with the agent that was asked. */
  @Test
  void what_an_agent_was_asked_for_when_it_died_is_withdrawn_by_the_ledger() {
    Run run = running("build it");
    SteerId steer = house.steer(run, "mind the gap").steerId();
    puppet.awaitTold("steer " + steer);
    CompletableFuture<Receipt> withdrawn = askedBack(steer);
    puppet.slowToStart().dies();
    assertThat(withdrawn.join().ended()).contains(End.WITHDRAWN);
    assertThat(puppet.timesTold("mind the gap")).isEqualTo(1);
  }

  /** Seen to fail when Farewell.hearLastWords does not settle what the agent gave back in them. */
  @Test
  void what_an_agent_gives_back_with_its_last_words_is_withdrawn_though_its_run_is_stopped() {
    Run run = running("build it");
    SteerId steer = house.steer(run, "mind the gap").steerId();
    puppet.awaitTold("steer " + steer);
    CompletableFuture<Receipt> withdrawn = askedBack(steer);
    puppet.whenTold("end", () -> puppet.says(new AgentEvent.SteerGivenBack(steer, true)));
    house.engine().runs().stop(run.id(), House.PERSON);
    assertThat(withdrawn.join().ended()).contains(End.WITHDRAWN);
    house.awaitState(run.id(), RunState.STOPPED);
  }

  /** Seen to fail when only what this hub asked back for a newer one is superseded by it. */
  @Test
  void what_the_agent_gives_back_for_a_newer_one_is_superseded_though_the_hub_that_asked_is_gone() {
    Run run = running("build it");
    SteerId older = house.steer(run, "turn left").steerId();
    puppet.awaitTold("steer " + older);
    replace(run, older);
    puppet.awaitTold("withdraw " + older);
    nextHubHearsThatItIsGivenBack(run, older);
  }

  /** Seen to fail when only an open steer can be the one it was given back for. */
  @Test
  void what_the_agent_gives_back_for_a_newer_one_is_superseded_though_the_newer_one_has_ended() {
    Run run = running("build it");
    SteerId older = house.steer(run, "turn left").steerId();
    puppet.awaitTold("steer " + older);
    SteerId newer = replace(run, older);
    puppet.awaitTold("withdraw " + older);
    puppet.says(new AgentEvent.SteerInjected(newer, "echo"));
    puppet.ends("turned right");
    house.awaitEnd(newer);
    nextHubHearsThatItIsGivenBack(run, older);
  }

  private SteerId replace(Run run, SteerId older) {
    return house
        .engine()
        .steering()
        .submit(
            new SteerRequest(
                run.id(),
                House.PERSON,
                SteerText.of("turn right"),
                Mode.STEER,
                OnUnsupported.DEGRADE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(older)))
        .receipt()
        .steerId();
  }

  private void nextHubHearsThatItIsGivenBack(Run run, SteerId older) {
    house.engine().close();
    puppet.answersWrites(Agent.Sent.CLOGGED);
    Slot slot = new Slot();
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot, true);
    slot.fromAgent(
        1,
        new Heard(
            List.of(new AgentEvent.SteerGivenBack(older, true)), new Heard.Place(100, "memo")));
    house.awaitEnd(older);
    assertThat(ended(older)).contains(End.SUPERSEDED);
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
  }

  /** Seen to fail when the author is answered, and the steer written, while the ledger works. */
  @Test
  void an_edited_steer_is_written_to_the_agent_when_the_ledger_has_the_edit() {
    Run run = running("build it");
    puppet.answersWrites(Agent.Sent.CLOGGED);
    SteerId steer = house.steer(run, "turn left").steerId();
    house.engine().close();
    List<String> kept = new CopyOnWriteArrayList<>();
    puppet.whenTold(
        "steer " + steer,
        () -> kept.add(house.ledger.read(r -> r.steer(steer)).orElseThrow().text().value()));
    puppet.answersWrites(Agent.Sent.WRITTEN);
    Slot slot = new Slot();
    CompletableFuture<Steer> answer = new CompletableFuture<>();
    slot.put(new Letter.About(steer, new Letter.Wish.Edit(SteerText.of("turn right")), answer));
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot, true);
    assertThat(answer.join().text().value()).isEqualTo("turn right");
    assertThat(puppet.awaitTold("steer " + steer)).contains("turn right");
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
    assertThat(kept).containsExactly("turn right");
  }

  /**
   * Else a crash would bring back the withdrawn one, behind what it was before. Seen to fail when
   * the withdrawal is kept while the next one is written.
   */
  @Test
  void what_comes_after_a_withdrawn_steer_is_written_when_the_ledger_has_the_withdrawal() {
    Slot slot = new Slot();
    assertThat(
            endOfTheFirstWhenTheSecondIsWritten(
                running("build it"),
                slot,
                first ->
                    slot.put(
                        new Letter.About(
                            first, new Letter.Wish.Withdraw("no"), new CompletableFuture<>()))))
        .contains(End.WITHDRAWN);
  }

  /** Else a crash would bring back the older one. Seen to fail when it is kept meanwhile. */
  @Test
  void the_newest_steer_is_written_when_the_ledger_has_the_end_of_the_one_it_replaces() {
    Run run = house.run("build it", PendingPolicy.LATEST, EngineSettings.ANY_WORKER);
    assertThat(endOfTheFirstWhenTheSecondIsWritten(puppet.running(house, run), new Slot(), _ -> {}))
        .contains(End.SUPERSEDED);
  }

  private Optional<End> endOfTheFirstWhenTheSecondIsWritten(
      Run run, Slot slot, Consumer<SteerId> aboutTheFirst) {
    puppet.answersWrites(Agent.Sent.CLOGGED);
    SteerId first = house.steer(run, "turn left").steerId();
    house.engine().close();
    SteerId second = house.steer(run, "then right").steerId();
    List<Optional<End>> ends = new CopyOnWriteArrayList<>();
    puppet.whenTold("steer " + second, () -> ends.add(ended(first)));
    puppet.answersWrites(Agent.Sent.WRITTEN);
    aboutTheFirst.accept(first);
    CompletableFuture<Attendance.Over> over = attend(house.now(run.id()), slot, true);
    puppet.awaitTold("steer " + second);
    slot.put(new Letter.Leave());
    assertThat(over.join()).isEqualTo(Attendance.Over.LEFT);
    assertThat(puppet.timesTold("turn left")).isZero();
    return ends.getFirst();
  }

  private Optional<End> ended(SteerId steer) {
    return house.ledger.read(r -> r.steer(steer)).flatMap(Steer::ended).map(Ending::how);
  }

  private CompletableFuture<Attendance.Over> attend(Run run, Slot slot, boolean attached) {
    EngineSettings settings = house.engine().settings();
    Desk desk =
        new Desk(
            house.ledger,
            InstantSource.system(),
            settings.host(),
            run,
            house.ledger.read(r -> r.attempt(run.id(), run.attempt())).orElseThrow(),
            house.ledger.read(r -> r.turn(run.id(), run.turn())),
            house.ledger.read(r -> r.openSteers(run.id())));
    Signs signs = new Signs(desk.now(), 0);
    Hearing hearing =
        new Hearing(desk, signs, GATE, new Turn.Running(run.turn()), Capabilities.FULL, true);
    Agent agent =
        puppet.attach(
            puppet.starts.getFirst(), Heard.Place.START, heard -> slot.fromAgent(1, heard));
    Attendance attendance =
        new Attendance(
            desk,
            hearing,
            signs,
            agent,
            slot,
            settings,
            new Contract(desk, house.ledger),
            (_, _) -> Optional.empty(),
            attached);
    return CompletableFuture.supplyAsync(() -> {
      try {
        return attendance.attend();
      } catch (InterruptedException e) {
        throw new CompletionException(e);
      }
    });
  }
}
