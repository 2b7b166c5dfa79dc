package dev.midcourse.hub.api;

import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Act;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.contract.Value;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.Lane;
import dev.midcourse.engine.Submitted;
import dev.midcourse.hub.crew.WorkerPlan;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import dev.midcourse.ledger.Reading;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.JsonText;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What leads do, the same through every door: each errand asks whether its asker may, does it, and
 * writes down whom it refused what and why.
 */
public final class Errands {

  private final Parts parts;
  private final Lookup lookup;
  private final Permits permits;

  public Errands(Parts parts) {
    this.parts = parts;
    this.lookup = parts.lookup();
    this.permits = parts.permits();
  }

  /**
   * A steer as somebody asks for it; whose run it is, and which steer it supersedes, may be said by
   * the beginning of its name.
   */
  public record SteerWish(
      String run,
      SteerText text,
      Mode mode,
      OnUnsupported onUnsupported,
      Optional<Key> key,
      Optional<Integer> expectedTurn,
      Optional<Duration> ttl,
      Optional<String> supersedes) {

    /** Without conditions. */
    public SteerWish(String run, SteerText text, Mode mode, Optional<Key> key) {
      this(
          run,
          text,
          mode,
          OnUnsupported.DEGRADE,
          key,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** Queues a dispatched run for a worker: the one that is named, or one that is free. */
  public Run dispatch(Asker asker, Optional<WorkerName> named, Value written) {
    try {
      WorkerName worker = named.orElseGet(() -> free(asker));
      Authority.objection(asker, new Act.Dispatch(worker))
          .ifPresent(why -> {
            throw why.refused();
          });
      WorkerPlan plan = parts.crew().declared(worker);
      Lane lane =
          new Lane(
              worker,
              parts.agentFor(worker, Optional.empty()).agent(),
              plan.workspace().orElseGet(() -> parts.facts().data().resolve("repos")),
              plan.pending(),
              plan.attempts());
      return parts.engine().dispatching().dispatch(written, lane, asker.author());
    } catch (RefusedException refused) {
      permits.note(asker, runId(written), "dispatch", refused.words());
      throw refused;
    }
  }

  /**
   * The same once for each key: whoever asks a second time after a crash is answered with the run
   * that the dispatch became, and nothing is started twice. What the log had reached is kept with
   * the key before the run is queued, so that it can be told from one that was queued earlier.
   */
  public Run dispatchOnce(Asker asker, Optional<WorkerName> named, Value written, Key key) {
    Ledger ledger = parts.engine().ledger();
    RunId run = runId(written);
    String mark = "dispatch." + asker.author().group() + "." + run;
    Optional<Long> before =
        ledger
            .read(reading -> reading.keepsake(mark))
            .filter(kept -> kept.startsWith(key + " "))
            .map(kept -> Long.parseLong(kept.substring(kept.indexOf(' ') + 1)));
    Optional<Run> became = before.flatMap(since -> queuedSince(since, run));
    if (became.filter(it -> cameOf(it, asker, written)).isPresent()) {
      return became.get();
    }
    if (before.isEmpty() && !run.equals(Permits.NO_RUN)) {
      String reached = key + " " + ledger.log().newest();
      ledger.write(tx -> {
        tx.keep(mark, reached);
        return mark;
      });
    }
    return dispatch(asker, named, written);
  }

  private Optional<Run> queuedSince(long cursor, RunId run) {
    Log.Filter queued = new Log.Filter(Optional.of(run), Set.of("run_queued", "run_restarted"));
    Ledger ledger = parts.engine().ledger();
    return ledger.log().after(cursor, queued, 1).entries().isEmpty()
        ? Optional.empty()
        : ledger.read(reading -> reading.run(run));
  }

  /** What is kept of a dispatch has all of its fields, and may have one more: its session. */
  private static boolean cameOf(Run run, Asker asker, Value written) {
    return run.spec().author().group().equals(asker.author().group())
        && written instanceof Value.Fields fields
        && run.spec().dispatch().flatMap(JsonText::parse).orElseGet(Value::fields)
            instanceof Value.Fields kept
        && kept.byName().entrySet().containsAll(fields.byName().entrySet());
  }

  /** Which run a dispatch is about, as far as it says so. */
  public static RunId runId(Value written) {
    try {
      return written instanceof Value.Fields fields
          ? fields.text("run_id").map(RunId::of).orElse(Permits.NO_RUN)
          : Permits.NO_RUN;
    } catch (RefusedException notAnId) {
      return Permits.NO_RUN;
    }
  }

  /** Of the workers with names of their own that the asker may direct, the least busy. */
  private WorkerName free(Asker asker) {
    List<Run> live = parts.engine().ledger().read(Reading::liveRuns);
    return parts.crew().workers().stream()
        .filter(plan -> !plan.name().many())
        .map(plan -> WorkerName.of(plan.name().text()))
        .filter(name -> Authority.objection(asker, new Act.Dispatch(name)).isEmpty())
        .min(
            java.util.Comparator.comparingLong(
                name -> live.stream().filter(run -> run.spec().worker().equals(name)).count()))
        .orElseThrow(() ->
            Problem.of(
                    Code.INVALID,
                    "worker",
                    "required where none is declared by its own name",
                    "say which worker is meant")
                .refused());
  }

  /** Stores a steer; every door's come through here or {@link #steerLater} and are timed. */
  public Submitted steer(Asker asker, SteerWish wish) {
    Instant asked = parts.clock().instant();
    SteerRequest request = request(asker, wish, lookup.run(wish.run()));
    return timed(parts.engine().steering().submit(request), asked);
  }

  /**
   * The same without waiting; steers of one thread are stored in its order.
   *
   * @param known the runs that were looked up for the same batch of wishes
   */
  public CompletableFuture<Submitted> steerLater(
      Asker asker, SteerWish wish, Map<String, Run> known) {
    Instant asked = parts.clock().instant();
    Run run = known.computeIfAbsent(wish.run(), lookup::run);
    return parts
        .engine()
        .steering()
        .submitLater(request(asker, wish, run))
        .thenApply(submitted -> timed(submitted, asked));
  }

  private Submitted timed(Submitted submitted, Instant asked) {
    if (!submitted.repeated()) {
      parts.hops().stored(submitted.receipt().steerId(), asked, submitted.durable());
    }
    return submitted;
  }

  private SteerRequest request(Asker asker, SteerWish wish, Run run) {
    permits.require(asker, Act.Direct.of(run, "steer"));
    return new SteerRequest(
        run.id(),
        asker.author(),
        wish.text(),
        wish.mode(),
        wish.onUnsupported(),
        wish.key(),
        wish.expectedTurn(),
        wish.ttl(),
        wish.supersedes().map(lookup::steer).map(Steer::id));
  }

  /** Somebody who may speak as a group, as that group. */
  public Asker speakingAs(Asker caller, GroupName name) {
    permits.require(caller, new Act.SpeakAs(name));
    Group group =
        parts
            .crew()
            .groups()
            .named(name)
            .orElseThrow(() ->
                Problem.of(
                        Code.NOT_FOUND,
                        "as",
                        "a group of midcourse.toml",
                        "there is no group " + name)
                    .refused());
    return new Asker.Member(group, caller.author().origin(), Optional.empty());
  }

  /** Refuses a message that the asker may not send. */
  public void mayTell(Asker asker, GroupName to) {
    permits.require(asker, new Act.Tell(to));
  }

  public Receipt withdraw(Asker asker, String steer, String reason) {
    Steer known = lookup.steer(steer);
    permits.require(asker, Act.Direct.of(lookup.run(known.run().value()), "withdraw a steer of"));
    return parts.engine().steering().withdraw(known.id(), reason);
  }

  public RunView stop(Asker asker, String run) {
    Run known = lookup.run(run);
    permits.require(asker, Act.Direct.of(known, "stop"));
    parts.engine().runs().stop(known.id(), asker.author());
    return RunView.of(lookup.run(known.id().value()));
  }

  /** What a reviewer thinks of a run. */
  public enum Verdict {
    ACCEPT,
    REWORK
  }

  public RunView review(Asker asker, String run, Verdict verdict, String text) {
    Run known = lookup.run(run);
    permits.require(asker, Act.Direct.of(known, "review"));
    return RunView.of(
        switch (verdict) {
          case ACCEPT -> parts.engine().reviews().accept(known.id(), text, asker.author());
          case REWORK -> parts.engine().reviews().rework(known.id(), text, asker.author());
        });
  }

  /** The newest runs that the asker may see. */
  public List<RunView> list(Asker asker, Set<RunState> states, int limit) {
    RunQuery query = RunQuery.newest(limit).in(states).within(Authority.sight(asker));
    return parts.engine().ledger().read(reading -> reading.runs(query)).stream()
        .map(RunView::of)
        .toList();
  }

  /** A run and its receipts; held back until it has ended, at most so long. */
  public Shown show(Asker asker, String run, Optional<Duration> untilEnd)
      throws InterruptedException {
    Run known = lookup.run(run);
    permits.require(asker, Act.See.of(known));
    Run now =
        untilEnd.isPresent() ? parts.engine().runs().awaitEnd(known.id(), untilEnd.get()) : known;
    List<Receipt> steers =
        parts.engine().ledger().read(reading -> reading.steers(known.id())).stream()
            .map(Receipt::of)
            .toList();
    return new Shown(RunView.of(now), steers);
  }

  /** A run with what was said to it. */
  public record Shown(RunView view, List<Receipt> steers) {}

  /** What the run has changed so far, as a patch. */
  public Patch diff(Asker asker, String run) {
    Run known = lookup.run(run);
    permits.require(asker, Act.See.of(known));
    return parts.engine().reviews().diff(known.id());
  }
}
