package dev.midcourse.hub.redis;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.authority.Group;
import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.SteerIntake;
import dev.midcourse.engine.SteerService.SubmitResult;
import dev.midcourse.hub.api.operation.SteerOperations;
import dev.midcourse.ledger.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Stores the entries of a list as steers, in their order. An entry is moved to a list of entries in
 * processing and gets its id there; it is stored under that id; then it is removed. A hub that ends
 * in between leaves it to the next hub, and the id keeps it from having a second effect. An entry
 * that is refused is moved to {@code steering:rejected} and told on the stream of receipts.
 */
final class EntryIntake {
  private static final int MAX_BATCH = 100;
  private static final int MAX_BATCH_BYTES = 4 * 1024 * 1024;

  /** A text of the largest size fits, also if each of its characters is escaped. */
  private static final int MAX_ENTRY_BYTES = 512 * 1024;

  private static final StopWords STOP_WORDS = StopWords.always();

  private final RedisLink link;
  private final Ledger ledger;
  private final SteerOperations steers;
  private final Group group;
  private final ReceiptStream receipts;
  private final RandomGenerator random;

  /** The sessions whose runs have the maximum of open steers. */
  private final Map<RunId, Set<SessionName>> held = new ConcurrentHashMap<>();

  EntryIntake(
      RedisLink link,
      Ledger ledger,
      SteerOperations steers,
      Group group,
      ReceiptStream receipts,
      RandomGenerator random) {
    this.link = link;
    this.ledger = ledger;
    this.steers = steers;
    this.group = group;
    this.receipts = receipts;
    this.random = random;
  }

  /**
   * Stores the next entries of the session; returns whether there may be more. Steers beyond the
   * maximum of open steers of a run stay in Redis until {@link #release}.
   */
  boolean takeBatch(SessionName session) {
    List<TakenEntry> taken = take(session);
    if (taken.isEmpty()) {
      return false;
    }
    Optional<Run> run =
        session.problem().isPresent()
            ? Optional.empty()
            : ledger.read(reader -> SessionResolver.find(reader, session));
    int room = run.map(this::room).orElse(MAX_BATCH);
    if (room == 0 && !isReleasedMeanwhile(run.orElseThrow(), session)) {
      return false;
    }
    List<TakenEntry> first = taken.subList(0, Math.min(room, taken.size()));
    store(session, run, first);
    return true;
  }

  private List<TakenEntry> take(SessionName session) {
    List<byte[]> elements =
        link.list(
            RedisScript.TAKE,
            List.of(session.inboxKey(), session.processingKey()),
            List.of(
                HexFormat.of().toHexDigits(random.nextLong()),
                Integer.toString(MAX_BATCH),
                Integer.toString(MAX_ENTRY_BYTES),
                Integer.toString(MAX_BATCH_BYTES)));
    return elements.stream().map(TakenEntry::of).toList();
  }

  private int room(Run run) {
    int open =
        run.steers() < SteerIntake.MAX_OPEN
            ? (int) run.steers()
            : ledger.read(reader -> reader.countOpenSteers(run.id()));
    return run.state().live() ? Math.max(0, SteerIntake.MAX_OPEN - open) : MAX_BATCH;
  }

  /** Looks again after the session is held, because a steer may have ended just before that. */
  private boolean isReleasedMeanwhile(Run run, SessionName session) {
    held.computeIfAbsent(run.id(), _ -> ConcurrentHashMap.newKeySet()).add(session);
    boolean free =
        ledger.read(reader ->
            reader.countOpenSteers(run.id()) < SteerIntake.MAX_OPEN
                || reader.run(run.id()).filter(it -> it.state().live()).isEmpty());
    return free && release(run.id()).contains(session);
  }

  /** Returns the sessions that waited for the end of a steer of this run. */
  Set<SessionName> release(RunId run) {
    return Optional.ofNullable(held.remove(run)).orElse(Set.of());
  }

  private void store(SessionName session, Optional<Run> run, List<TakenEntry> entries) {
    Map<String, Run> known = new HashMap<>();
    run.ifPresent(it -> known.put(it.id().value(), it));
    List<CompletableFuture<SubmitResult>> results = new ArrayList<>();
    for (TakenEntry entry : entries) {
      results.add(submit(session, run, entry, known));
    }
    List<String> stored = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Optional<Problem> refusal = refusal(results.get(i));
      if (refusal.isEmpty()) {
        stored.add(entries.get(i).tag());
      } else {
        remove(session, stored);
        stored.clear();
        reject(session, run, entries.get(i), refusal.get());
      }
    }
    remove(session, stored);
  }

  private CompletableFuture<SubmitResult> submit(
      SessionName session, Optional<Run> run, TakenEntry taken, Map<String, Run> known) {
    try {
      session
          .problem()
          .ifPresent(problem -> {
            throw problem.refused();
          });
      if (!taken.whole()) {
        throw Problem.of(
                Code.TOO_LARGE, "entry", "at most 512 KiB", "the entry has more than 512 KiB")
            .refused();
      }
      SteeringEntry entry = SteeringEntry.parse(taken.bytes(), STOP_WORDS);
      String id = run.orElseThrow(() -> unknown(session)).id().value();
      Caller caller = new Caller.Member(group, entry.origin(), Optional.empty());
      return steers.submitLater(caller, id, entry.keyed(session, taken.id()), known);
    } catch (RefusedException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private static RefusedException unknown(SessionName session) {
    return Problem.of(
            Code.NOT_FOUND,
            "session_id",
            "a run, a session of an agent, or tg_PROJECT_CHAT_MESSAGE",
            "there is no run of session " + session)
        .refused();
  }

  /** Waits for the result. Throws if the ledger cannot store now, so that the entry stays. */
  private static Optional<Problem> refusal(CompletableFuture<SubmitResult> result) {
    try {
      result.join();
      return Optional.empty();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RefusedException refused
          && refused.problem().code() != Code.UNAVAILABLE) {
        return Optional.of(refused.problem());
      }
      throw e;
    }
  }

  private void remove(SessionName session, List<String> tags) {
    if (!tags.isEmpty()) {
      link.run(
          new RedisLink.ScriptCall(RedisScript.REMOVE, List.of(session.processingKey()), tags));
    }
  }

  private void reject(SessionName session, Optional<Run> run, TakenEntry entry, Problem problem) {
    link.run(
        new RedisLink.ScriptCall(
            RedisScript.REJECT,
            List.of(session.processingKey(), SessionName.REJECTED_KEY, session.receiptsKey()),
            receipts.rejection(session, run, entry.tag(), entry.text(), problem)));
  }
}
