package dev.midcourse.engine.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.agent.AgentEvent;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.core.watch.ProgressPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgentDriver;
import dev.midcourse.engine.attempt.SupervisorMailbox;
import dev.midcourse.engine.attempt.SupervisorMessage;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An attempt loop without an engine: only agent output and its own timers wake it. */
class AttemptLoopTest extends ScriptedAgentDriver {
  private static final ProgressPolicy GATE = new ProgressPolicy(Duration.ofMillis(200));

  /** Seen to fail when the loop does not wake for it, and when it does not keep what is due. */
  @Test
  void progress_that_came_too_soon_is_kept_when_its_time_has_come_though_nothing_else_happens() {
    Run run = running("build it");
    fixture.engine().close();
    SupervisorMailbox mailbox = new SupervisorMailbox();
    CompletableFuture<AttemptLoop.LoopExit> over = attend(run, mailbox);
    mailbox.offerFromAgent(
        1,
        new AgentEventBatch(
            List.of(
                new AgentEvent.Said("reads the code"),
                new AgentEvent.Said("writes a test"),
                new AgentEvent.Said("writes the code")),
            new AgentEventBatch.OutputCheckpoint(100, "memo")));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> fixture.now(run.id()).progress().map(Progress::summary),
            Optional.of("writes the code")::equals);
    mailbox.put(new SupervisorMessage.Detach());
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
  }

  /** Seen to fail when a loop that leaves forgets the progress that waits for its time. */
  @Test
  void progress_that_came_too_soon_is_kept_when_the_hub_ends() {
    Run run = running("build it");
    fixture.engine().close();
    SupervisorMailbox mailbox = new SupervisorMailbox();
    mailbox.offerFromAgent(
        1,
        new AgentEventBatch(
            List.of(new AgentEvent.Said("reads the code"), new AgentEvent.Said("writes the code")),
            new AgentEventBatch.OutputCheckpoint(100, "memo")));
    mailbox.put(new SupervisorMessage.Detach());
    CompletableFuture<AttemptLoop.LoopExit> over =
        attend(run, mailbox, fixture.parts(new ProgressPolicy(Duration.ofHours(1))));
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
    assertThat(fixture.now(run.id()).progress().map(Progress::summary)).contains("writes the code");
  }

  /**
   * The hub before it may have written the steer and died before it could keep that. Seen to fail
   * when the command is handled as soon as it comes.
   */
  @Test
  void a_steer_is_not_called_withdrawn_before_it_is_known_what_the_agent_has() {
    Run run = running("build it");
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    SteerId steer = fixture.steer(run, "mind the gap").steerId();
    fixture.engine().close();
    SupervisorMailbox mailbox = new SupervisorMailbox();
    CompletableFuture<Steer> answer = new CompletableFuture<>();
    mailbox.put(
        new SupervisorMessage.ChangeSteer(
            steer, new SupervisorMessage.SteerCommand.Withdraw("no"), answer));
    CompletableFuture<AttemptLoop.LoopExit> over = attend(run, mailbox);
    await().until(() -> puppet.timesTurnedAway("barrier") > 1);
    mailbox.offerFromAgent(
        1,
        new AgentEventBatch(
            List.of(
                new AgentEvent.SteerAccepted(steer, "held"),
                new AgentEvent.SteerInjected(steer, "in the session")),
            new AgentEventBatch.OutputCheckpoint(100, "memo")));
    puppet.answersWrites(Agent.WriteResult.WRITTEN);
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.problem().code()).isEqualTo(Code.TOO_LATE));
    mailbox.put(new SupervisorMessage.Detach());
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
  }

  /**
   * Otherwise the agent would return a steer that is then written again. Seen to fail when the
   * command is handled as soon as it comes.
   */
  @Test
  void a_steer_is_asked_back_after_it_was_written_again_and_not_before() {
    Run run = running("build it");
    SteerId steer = fixture.steer(run, "mind the gap").steerId();
    fixture.awaitRung(steer, Rung.OFFERED);
    fixture.engine().close();
    SupervisorMailbox mailbox = new SupervisorMailbox();
    mailbox.put(
        new SupervisorMessage.ChangeSteer(
            steer, new SupervisorMessage.SteerCommand.Withdraw("no"), new CompletableFuture<>()));
    CompletableFuture<AttemptLoop.LoopExit> over = attend(run, mailbox);
    puppet.awaitMessage("withdraw " + steer);
    mailbox.put(new SupervisorMessage.Detach());
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
    assertThat(puppet.told.stream().filter(line -> line.contains(steer.value())))
        .hasSize(3)
        .last()
        .isEqualTo("withdraw " + steer);
  }

  /** Seen to fail when only the agent's own answer settles a withdrawal. */
  @Test
  void what_the_agent_turns_away_while_it_is_asked_back_is_withdrawn_and_not_written_again() {
    Run run = running("build it");
    SteerId steer = fixture.steer(run, "mind the gap").steerId();
    puppet.awaitMessage("steer " + steer);
    CompletableFuture<Receipt> withdrawn = askedBack(steer);
    puppet.says(new AgentEvent.SteerNotTaken(steer, "no turn is running"));
    withdrawn.join();
    assertThat(ended(steer)).contains(SteerEnd.WITHDRAWN);
    assertThat(puppet.countMessages("steer " + steer)).isEqualTo(1);
  }

  /**
   * The next supervisor answers the author then. Seen to fail when withdrawReturned drops the
   * command before its commit: the author waited until its timeout.
   */
  @Test
  void a_withdrawal_whose_commit_fails_goes_back_to_the_mailbox() throws Exception {
    Run run = running("build it");
    SteerId steer = fixture.steer(run, "mind the gap").steerId();
    fixture.awaitRung(steer, Rung.OFFERED);
    fixture.engine().close();
    SupervisorMailbox mailbox = new SupervisorMailbox();
    SupervisorMessage.ChangeSteer command =
        new SupervisorMessage.ChangeSteer(
            steer, new SupervisorMessage.SteerCommand.Withdraw("no"), new CompletableFuture<>());
    mailbox.put(command);
    AtomicBoolean diskIsFull = new AtomicBoolean();
    EngineContext parts = fixture.parts(GATE);
    CompletableFuture<AttemptLoop.LoopExit> over =
        attend(
            run,
            mailbox,
            new EngineContext(
                failingLedger(diskIsFull),
                parts.drivers(),
                parts.settings(),
                parts.clock(),
                parts.ids()));
    puppet.awaitMessage("withdraw " + steer);
    diskIsFull.set(true);
    mailbox.offerFromAgent(
        1,
        new AgentEventBatch(
            List.of(new AgentEvent.SteerNotTaken(steer, "no turn is running")),
            new AgentEventBatch.OutputCheckpoint(100, "memo")));
    assertThatThrownBy(over::join).hasMessageContaining("the disk is full");
    assertThat(command.answer()).isNotDone();
    assertThat(mailbox.take(Optional.of(Duration.ZERO))).contains(command);
  }

  /** The ledger of the fixture; a commit that its caller waits for fails while the flag is set. */
  private Ledger failingLedger(AtomicBoolean fails) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (_, method, arguments) -> {
              if (method.getName().equals("write") && fails.get()) {
                throw new IllegalStateException("the disk is full");
              }
              return method.invoke(fixture.ledger, arguments);
            });
  }

  private CompletableFuture<Receipt> askedBack(SteerId steer) {
    CompletableFuture<Receipt> withdrawn =
        CompletableFuture.supplyAsync(() -> fixture.engine().steering().withdraw(steer, "no"));
    puppet.awaitMessage("withdraw " + steer);
    return withdrawn;
  }

  /** Seen to fail when a withdrawal is forgotten with the agent that was asked. */
  @Test
  void what_an_agent_was_asked_for_when_it_died_is_withdrawn_by_the_ledger() {
    Run run = running("build it");
    SteerId steer = fixture.steer(run, "mind the gap").steerId();
    puppet.awaitMessage("steer " + steer);
    CompletableFuture<Receipt> withdrawn = askedBack(steer);
    puppet.slowToStart().dies();
    assertThat(withdrawn.join().ended()).contains(SteerEnd.WITHDRAWN);
    assertThat(puppet.countMessages("mind the gap")).isEqualTo(1);
  }

  /**
   * Seen to fail when AttemptTermination.readLastOutput does not settle what the agent gave back in
   * them.
   */
  @Test
  void a_steer_that_an_agent_returns_with_its_last_output_is_withdrawn_though_its_run_is_stopped() {
    Run run = running("build it");
    SteerId steer = fixture.steer(run, "mind the gap").steerId();
    puppet.awaitMessage("steer " + steer);
    CompletableFuture<Receipt> withdrawn = askedBack(steer);
    puppet.onMessage("end", () -> puppet.says(new AgentEvent.SteerGivenBack(steer, true)));
    fixture.engine().runs().stop(run.id(), EngineFixture.PERSON);
    assertThat(withdrawn.join().ended()).contains(SteerEnd.WITHDRAWN);
    fixture.awaitState(run.id(), RunState.STOPPED);
  }

  /** Seen to fail when only what this hub asked back for a newer one is superseded by it. */
  @Test
  void what_the_agent_gives_back_for_a_newer_one_is_superseded_though_the_hub_that_asked_is_gone() {
    Run run = running("build it");
    SteerId older = fixture.steer(run, "turn left").steerId();
    puppet.awaitMessage("steer " + older);
    replace(run, older);
    puppet.awaitMessage("withdraw " + older);
    nextHubHearsThatItIsGivenBack(run, older);
  }

  /** Seen to fail when only an open steer can be the one it was given back for. */
  @Test
  void what_the_agent_gives_back_for_a_newer_one_is_superseded_though_the_newer_one_has_ended() {
    Run run = running("build it");
    SteerId older = fixture.steer(run, "turn left").steerId();
    puppet.awaitMessage("steer " + older);
    SteerId newer = replace(run, older);
    puppet.awaitMessage("withdraw " + older);
    puppet.says(new AgentEvent.SteerInjected(newer, "echo"));
    puppet.ends("turned right");
    fixture.awaitEnd(newer);
    nextHubHearsThatItIsGivenBack(run, older);
  }

  private SteerId replace(Run run, SteerId older) {
    return fixture
        .engine()
        .steering()
        .submit(
            run.id(),
            EngineFixture.PERSON,
            new SteerRequest(
                SteerText.of("turn right"),
                SteerMode.STEER,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OnUnsupported.DEGRADE,
                Optional.of(SteerReference.to(older))))
        .receipt()
        .steerId();
  }

  private void nextHubHearsThatItIsGivenBack(Run run, SteerId older) {
    fixture.engine().close();
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    SupervisorMailbox mailbox = new SupervisorMailbox();
    CompletableFuture<AttemptLoop.LoopExit> over = attend(run, mailbox);
    mailbox.offerFromAgent(
        1,
        new AgentEventBatch(
            List.of(new AgentEvent.SteerGivenBack(older, true)),
            new AgentEventBatch.OutputCheckpoint(100, "memo")));
    fixture.awaitEnd(older);
    assertThat(ended(older)).contains(SteerEnd.SUPERSEDED);
    mailbox.put(new SupervisorMessage.Detach());
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
  }

  /** Seen to fail when the author is answered, and the steer written, while the ledger works. */
  @Test
  void an_edited_steer_is_written_to_the_agent_when_the_ledger_has_the_edit() {
    Run run = running("build it");
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    SteerId steer = fixture.steer(run, "turn left").steerId();
    fixture.engine().close();
    List<String> kept = new CopyOnWriteArrayList<>();
    puppet.onMessage(
        "steer " + steer,
        () -> kept.add(fixture.ledger.read(r -> r.steer(steer)).orElseThrow().text().value()));
    puppet.answersWrites(Agent.WriteResult.WRITTEN);
    SupervisorMailbox mailbox = new SupervisorMailbox();
    CompletableFuture<Steer> answer = new CompletableFuture<>();
    mailbox.put(
        new SupervisorMessage.ChangeSteer(
            steer, new SupervisorMessage.SteerCommand.Edit(SteerText.of("turn right")), answer));
    CompletableFuture<AttemptLoop.LoopExit> over = attend(run, mailbox);
    assertThat(answer.join().text().value()).isEqualTo("turn right");
    assertThat(puppet.awaitMessage("steer " + steer)).contains("turn right");
    mailbox.put(new SupervisorMessage.Detach());
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
    assertThat(kept).containsExactly("turn right");
  }

  /**
   * Else a crash would bring back the withdrawn one, behind what it was before. Seen to fail when
   * the withdrawal is kept while the next one is written.
   */
  @Test
  void what_comes_after_a_withdrawn_steer_is_written_when_the_ledger_has_the_withdrawal() {
    SupervisorMailbox mailbox = new SupervisorMailbox();
    assertThat(
            endOfTheFirstWhenTheSecondIsWritten(
                running("build it"),
                mailbox,
                first ->
                    mailbox.put(
                        new SupervisorMessage.ChangeSteer(
                            first,
                            new SupervisorMessage.SteerCommand.Withdraw("no"),
                            new CompletableFuture<>()))))
        .contains(SteerEnd.WITHDRAWN);
  }

  /** Else a crash would bring back the older one. Seen to fail when it is kept meanwhile. */
  @Test
  void the_newest_steer_is_written_when_the_ledger_has_the_end_of_the_one_it_replaces() {
    Run run = fixture.run("build it", PendingPolicy.LATEST, EngineSettings.ANY_WORKER);
    assertThat(
            endOfTheFirstWhenTheSecondIsWritten(
                puppet.running(fixture, run), new SupervisorMailbox(), _ -> {}))
        .contains(SteerEnd.SUPERSEDED);
  }

  private Optional<SteerEnd> endOfTheFirstWhenTheSecondIsWritten(
      Run run, SupervisorMailbox mailbox, Consumer<SteerId> aboutTheFirst) {
    puppet.answersWrites(Agent.WriteResult.INPUT_FULL);
    SteerId first = fixture.steer(run, "turn left").steerId();
    fixture.engine().close();
    SteerId second = fixture.steer(run, "then right").steerId();
    List<Optional<SteerEnd>> ends = new CopyOnWriteArrayList<>();
    puppet.onMessage("steer " + second, () -> ends.add(ended(first)));
    puppet.answersWrites(Agent.WriteResult.WRITTEN);
    aboutTheFirst.accept(first);
    CompletableFuture<AttemptLoop.LoopExit> over = attend(run, mailbox);
    puppet.awaitMessage("steer " + second);
    mailbox.put(new SupervisorMessage.Detach());
    assertThat(over.join()).isEqualTo(AttemptLoop.LoopExit.DETACHED);
    assertThat(puppet.countMessages("turn left")).isZero();
    return ends.getFirst();
  }

  private Optional<SteerEnd> ended(SteerId steer) {
    return fixture.ledger.read(r -> r.steer(steer)).flatMap(Steer::ended).map(SteerEnding::how);
  }

  /** Attends the run as the next hub does: with everything that the ledger has. */
  private CompletableFuture<AttemptLoop.LoopExit> attend(Run run, SupervisorMailbox mailbox) {
    return attend(run, mailbox, fixture.parts(GATE));
  }

  private CompletableFuture<AttemptLoop.LoopExit> attend(
      Run run, SupervisorMailbox mailbox, EngineContext parts) {
    AttemptSnapshot snapshot =
        fixture.ledger.read(r -> AttemptSnapshot.read(r, run.id())).orElseThrow();
    AttemptLoop loop = new AttemptFactory(parts, mailbox, () -> {}).attach(snapshot);
    return CompletableFuture.supplyAsync(() -> {
      try {
        return loop.run();
      } catch (InterruptedException e) {
        throw new CompletionException(e);
      }
    });
  }
}
