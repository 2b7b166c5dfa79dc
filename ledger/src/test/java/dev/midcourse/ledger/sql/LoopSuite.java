package dev.midcourse.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Transition;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.loop.CiVerdict;
import dev.midcourse.core.loop.GuidanceScope;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopBudget;
import dev.midcourse.core.loop.LoopReviewer;
import dev.midcourse.core.loop.LoopSpec;
import dev.midcourse.core.loop.finding.ReportedFinding;
import dev.midcourse.core.loop.finding.ReviewReport;
import dev.midcourse.core.loop.finding.Severity;
import dev.midcourse.core.loop.forge.ChangeRef;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.core.loop.queue.MergeQueue;
import dev.midcourse.core.loop.queue.QueueChange;
import dev.midcourse.core.loop.queue.QueueEntry;
import dev.midcourse.core.loop.queue.QueueFact;
import dev.midcourse.core.loop.queue.QueueKey;
import dev.midcourse.core.loop.queue.QueueStep;
import dev.midcourse.core.loop.step.CallEnd;
import dev.midcourse.core.loop.step.CommitState;
import dev.midcourse.core.loop.step.LoopChange;
import dev.midcourse.core.loop.step.LoopCommand;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.core.loop.step.LoopStep;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.ledger.Ledger.Query;
import dev.midcourse.ledger.loop.LoopReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Autopilot loops in a store. */
public abstract class LoopSuite extends StoreSuite {
  private static final Instant NOW = Instant.parse("2026-11-18T08:00:00.123456789Z");
  private static final Author ANNA = Author.person("cli");
  private static final SteerId STEER = SteerId.of("3f2b8c1e-0000-4000-8000-000000000001");
  private static final String BASE = "b".repeat(40);
  private static final String HEAD = "c".repeat(40);

  private static Loop created(String id, Instant at) {
    return Loop.created(
        LoopId.of(id),
        new LoopSpec(
            HostName.of("host-1"),
            "/src/shöp x",
            BranchName.of("main"),
            BranchName.of("autopilot/" + id),
            WorkerName.of("w"),
            AgentName.of("claude"),
            new LoopReviewer.OfAgent(AgentName.of("codex")),
            Optional.of("make 'test'\n"),
            Duration.ofMinutes(60),
            Duration.ofMinutes(90)),
        new LoopBudget(5, 8, Optional.of(2_500_000L), Optional.empty(), Optional.of(HOURS)),
        true,
        "Fix the\n\"login\" 🧭",
        ANNA,
        at);
  }

  private static final Duration HOURS = Duration.ofHours(8);

  private static Loop after(Loop loop, LoopFact fact) {
    return ((Transition.Changed<LoopChange>) LoopStep.apply(loop, fact, NOW)).next().next();
  }

  /** A loop with everything that a loop can have: findings, verdicts, guidance, a parking. */
  private static Loop eventful(String id) {
    CommitState at = new CommitState(HEAD, "tree", true, true, true, List.of(), List.of());
    Loop loop = created(id, NOW);
    loop = after(loop, new LoopFact.Prepared(BASE, at));
    loop =
        after(
            loop,
            new LoopCommand.Guide(ANNA, STEER, GuidanceScope.STANDING, SteerText.of("tabs\n")));
    loop =
        after(
            loop,
            new LoopFact.WorkEnded(
                1, new CallEnd.Answered("done"), at, new Usage(5, 6, 7), Set.of()));
    int ci = loop.openCalls().getFirst().number();
    int review = loop.openCalls().getLast().number();
    loop = after(loop, new LoopFact.CiEnded(ci, new CiVerdict.Green(HEAD), List.of()));
    ReportedFinding finding =
        ReportedFinding.of(Optional.of("src/A.java"), 3, Severity.MAJOR, "'Null'", "because\n…");
    loop =
        after(
            loop,
            new LoopFact.ReviewEnded(
                review,
                new CallEnd.Answered("…"),
                Optional.of(new ReviewReport.WithFindings(List.of(finding), 0)),
                HEAD,
                Usage.NOTHING,
                Set.of()));
    return after(loop, new LoopCommand.Pause(ANNA));
  }

  private void put(Loop loop) {
    ledger.write(tx -> {
      tx.loops().put(loop);
      return loop;
    });
  }

  private <T> T ask(Function<LoopReader, T> question) {
    Query<T> query = reading -> question.apply(reading.loops());
    return ledger.read(query);
  }

  private Optional<Loop> stored(LoopId id) {
    return ask(loops -> loops.loop(id));
  }

  private List<Loop> unended() {
    return ask(LoopReader::unended);
  }

  private List<Loop> newest(int limit) {
    return ask(loops -> loops.newest(limit));
  }

  private Optional<LoopId> loopOf(RunId run) {
    return ask(loops -> loops.loopOf(run));
  }

  private Optional<LoopId> loopWithSteer() {
    return ask(loops -> loops.loopWith(STEER));
  }

  private List<SteerId> guidance(String prefix) {
    return ask(loops -> loops.guidanceStartingWith(prefix, 5));
  }

  @Test
  void a_loop_comes_back_as_it_was_stored() {
    Loop fresh = created("a", NOW);
    Loop eventful = eventful("b");
    put(fresh);
    put(eventful);
    assertThat(stored(fresh.id())).contains(fresh);
    assertThat(stored(eventful.id())).contains(eventful);
    assertThat(stored(LoopId.of("none"))).isEmpty();
  }

  @Test
  void a_later_state_replaces_the_earlier_one() {
    Loop loop = created("a", NOW);
    put(loop);
    Loop stopped = after(loop, new LoopCommand.Stop(ANNA));
    put(stopped);
    assertThat(stored(loop.id())).contains(stopped);
    assertThat(unended()).isEmpty();
    assertThat(newest(10)).containsExactly(stopped);
  }

  @Test
  void loops_that_go_on_are_listed_oldest_first_and_all_newest_first() {
    Loop old = created("z", NOW.minusSeconds(60));
    Loop young = created("a", NOW);
    put(young);
    put(old);
    assertThat(unended()).containsExactly(old, young);
    assertThat(newest(1)).containsExactly(young);
  }

  @Test
  void a_run_and_guidance_lead_to_their_loop() {
    Loop loop = eventful("b");
    put(loop);
    put(loop);
    RunId run = loop.calls().getFirst().run();
    assertThat(loopOf(run)).contains(loop.id());
    assertThat(loopOf(RunId.of("other"))).isEmpty();
    assertThat(loopWithSteer()).contains(loop.id());
    assertThat(guidance("3f2b")).containsExactly(STEER);
    assertThat(guidance("3f2c")).isEmpty();
  }

  @Test
  void a_transaction_sees_its_own_loop() {
    Loop loop = created("a", NOW);
    Optional<Loop> seen =
        ledger.write(tx -> {
          tx.loops().put(loop);
          return tx.loops().loop(loop.id());
        });
    assertThat(seen).contains(loop);
  }

  @Test
  void pruning_deletes_loops_that_ended_before() {
    Loop ended = after(created("a", NOW), new LoopCommand.Stop(ANNA));
    Loop live = eventful("b");
    put(ended);
    put(live);
    int _ = ledger.prune(NOW);
    assertThat(newest(10)).hasSize(2);
    int _ = ledger.prune(NOW.plusSeconds(1));
    assertThat(newest(10)).containsExactly(live);
  }

  private static MergeQueue queue() {
    Loop loop = eventful("b");
    QueueKey key = QueueKey.of(loop);
    return ((Transition.Changed<QueueChange>)
            QueueStep.apply(
                MergeQueue.empty(key), new QueueFact.Joined(QueueEntry.of(loop, HEAD, NOW)), NOW))
        .next()
        .next();
  }

  @Test
  void a_merge_queue_comes_back_as_it_was_stored() {
    put(eventful("b"));
    MergeQueue queue = queue();
    Optional<MergeQueue> seen =
        ledger.write(tx -> {
          tx.loops().put(queue);
          return tx.loops().queue(queue.key());
        });
    assertThat(seen).contains(queue);
    assertThat(ask(LoopReader::queues)).containsExactly(queue);
    assertThat(loopOf(queue.trial().orElseThrow().run())).contains(LoopId.of("b"));
    QueueKey other = new QueueKey(HostName.of("other"), "/src/shöp x", queue.key().base());
    Optional<MergeQueue> none = ask(loops -> loops.queue(other));
    assertThat(none).isEmpty();
  }

  /** Seen to fail when an empty queue is listed. */
  @Test
  void a_queue_in_which_nobody_waits_is_not_listed_but_counts_on() {
    put(eventful("b"));
    MergeQueue queue = queue();
    MergeQueue empty =
        ((Transition.Changed<QueueChange>)
                QueueStep.apply(queue, new QueueFact.Left(LoopId.of("b")), NOW))
            .next()
            .next();
    int _ =
        ledger.write(tx -> {
          tx.loops().put(queue);
          tx.loops().put(empty);
          return 0;
        });
    assertThat(ask(LoopReader::queues)).isEmpty();
    Optional<MergeQueue> kept = ask(loops -> loops.queue(queue.key()));
    assertThat(kept.map(MergeQueue::trials)).contains(1);
  }

  /** Seen to fail when an act is stored without its result. */
  @Test
  void acts_at_a_forge_are_kept_in_their_order_and_with_their_results() {
    Loop loop = created("forge-loop", NOW);
    put(loop);
    ChangeRef change = new ChangeRef("7", "https://forge.test/7");
    ForgeWrite open =
        new ForgeWrite(
            loop.id(),
            "open",
            1,
            new ForgeAct.Open("work", "main", "Täst 'it'", "body\n", true),
            ForgeWrite.State.PENDING,
            "",
            NOW);
    ForgeWrite edit =
        new ForgeWrite(
            loop.id(),
            "edit/x",
            2,
            new ForgeAct.Edit(change, Optional.empty(), Optional.empty(), Optional.of("x")),
            ForgeWrite.State.PENDING,
            "",
            NOW);
    ledger.write(tx -> {
      tx.loops().put(edit);
      tx.loops().put(open);
      return loop;
    });
    ForgeWrite done = open.with(ForgeWrite.State.DONE, "7", NOW.plusSeconds(1));
    ledger.write(tx -> {
      tx.loops().put(done);
      return tx.loops().forgeWrites(loop.id());
    });
    assertThat(this.<List<ForgeWrite>>ask(loops -> loops.forgeWrites(loop.id())))
        .containsExactly(done, edit);
  }

  @Test
  void a_loop_with_a_change_is_read_back_as_it_was() {
    LoopSpec local = created("remote-loop", NOW).spec();
    ForgeOrder order =
        new ForgeOrder(
            "github",
            "acme/shop",
            "https://forge.test/acme/shop.git",
            true,
            true,
            Optional.of("7"),
            true,
            List.of("build"),
            Optional.of(LoopId.of("parent-loop")),
            Duration.ofMinutes(5),
            Duration.ofSeconds(60));
    LoopSpec spec =
        new LoopSpec(
            local.host(),
            local.repository(),
            local.base(),
            local.branch(),
            local.worker(),
            local.agent(),
            new LoopReviewer.OfLogin("copilot"),
            local.ci(),
            local.reviewTimeout(),
            local.ciTimeout(),
            Optional.of(order));
    Loop loop =
        Loop.created(LoopId.of("remote-loop"), spec, LoopBudget.DEFAULT, true, "Fix it", ANNA, NOW);
    Loop signedIn = after(loop, new LoopFact.SignedIn("bot", Optional.of(new ChangeRef("7", "u"))));
    put(signedIn);
    assertThat(stored(loop.id())).contains(signedIn);
  }
}
