package dev.midcourse.autopilot;

import dev.midcourse.autopilot.forge.Forge;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.loop.Loop;
import dev.midcourse.core.loop.LoopPhase;
import dev.midcourse.core.loop.forge.ForgeAct;
import dev.midcourse.core.loop.forge.ForgeActResult;
import dev.midcourse.core.loop.forge.ForgeError;
import dev.midcourse.core.loop.forge.ForgeOrder;
import dev.midcourse.core.loop.forge.ForgeWrite;
import dev.midcourse.core.loop.step.LoopFact;
import dev.midcourse.ledger.Transaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The acts that loops have ordered at forges. An act is stored with the step that orders it, marked
 * before it is sent, and stored with its result. An act whose result is not known, also after a
 * crash, is looked up by the forge's adapter before it is tried again.
 */
final class ForgeOutbox {
  private static final Logger LOG = System.getLogger(ForgeOutbox.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

  private final LoopParts parts;

  ForgeOutbox(LoopParts parts) {
    this.parts = parts;
  }

  /** Enters an act, in the transaction of the step that orders it. What is done stays done. */
  static void order(Transaction tx, LoopId loop, String key, ForgeAct act, Instant now) {
    List<ForgeWrite> all = tx.loops().forgeWrites(loop);
    Optional<ForgeWrite> before = all.stream().filter(it -> it.key().equals(key)).findFirst();
    if (before.filter(it -> it.state() != ForgeWrite.State.REFUSED).isEmpty()) {
      int number = all.stream().mapToInt(ForgeWrite::number).max().orElse(0) + 1;
      tx.loops().put(new ForgeWrite(loop, key, number, act, ForgeWrite.State.PENDING, "", now));
    }
  }

  /** Stores the result of an act, in the transaction of the step that takes it over. */
  static void store(Transaction tx, LoopId loop, LoopFact.ForgeWrote fact, Instant now) {
    find(tx.loops().forgeWrites(loop), fact.key())
        .map(write ->
            switch (fact.result()) {
              case ForgeActResult.Done(String id) -> write.with(ForgeWrite.State.DONE, id, now);
              case ForgeActResult.Already(String id) -> write.with(ForgeWrite.State.DONE, id, now);
              case ForgeActResult.Refused(ForgeError error) ->
                  write.with(ForgeWrite.State.REFUSED, error.message(), now);
              case ForgeActResult.Unknown(String why) ->
                  write.with(ForgeWrite.State.SENT, why, now);
            })
        .ifPresent(tx.loops()::put);
  }

  private static Optional<ForgeWrite> find(List<ForgeWrite> all, String key) {
    return all.stream().filter(it -> it.key().equals(key)).findFirst();
  }

  /**
   * Performs all acts of the loop that are due, in their order. Returns the time at which the rest
   * is tried again; empty if nothing is left.
   */
  Optional<Instant> perform(Loop loop, LoopActor.FactListener listener)
      throws InterruptedException {
    List<ForgeWrite> all = parts.ledger().read(r -> r.loops().forgeWrites(loop.id()));
    deliverKnown(loop, all, listener);
    for (ForgeWrite write : all) {
      if (write.state().isOpen() && isDue(loop.id(), write)) {
        Optional<Instant> later = perform(loop, write, listener);
        if (later.isPresent()) {
          return later;
        }
      }
    }
    return Optional.empty();
  }

  /** An act that was done for an earlier step, and that a later step has ordered again. */
  private static void deliverKnown(
      Loop loop, List<ForgeWrite> all, LoopActor.FactListener listener) {
    List<String> awaited = loop.forge().map(it -> it.awaited()).orElse(List.of());
    for (ForgeWrite write : all) {
      if (write.state() == ForgeWrite.State.DONE && awaited.contains(write.key())) {
        listener.onFact(
            loop.id(),
            new LoopFact.ForgeWrote(
                write.key(), write.act(), new ForgeActResult.Already(write.result())));
      }
    }
  }

  /** What a loop has ordered may have no sense any more: a paused loop merges nothing. */
  private boolean isDue(LoopId id, ForgeWrite write) {
    LoopPhase phase =
        parts
            .ledger()
            .<Optional<Loop>>read(r -> r.loops().loop(id))
            .map(Loop::phase)
            .orElse(LoopPhase.STOPPED);
    return switch (write.act()) {
      case ForgeAct.Merge _, ForgeAct.Enqueue _, ForgeAct.MarkReady _ -> phase == LoopPhase.LAND;
      case ForgeAct.Comment _ -> true;
      case ForgeAct.Open _,
          ForgeAct.Edit _,
          ForgeAct.RequestReview _,
          ForgeAct.Reply _,
          ForgeAct.Resolve _,
          ForgeAct.RerunFailed _,
          ForgeAct.UpdateBranch _,
          ForgeAct.Close _ ->
          phase != LoopPhase.STOPPED && phase != LoopPhase.PARKED;
    };
  }

  private Optional<Instant> perform(Loop loop, ForgeWrite write, LoopActor.FactListener listener)
      throws InterruptedException {
    ForgeOrder order = loop.spec().forge().orElseThrow();
    Forge forge = parts.forges().open(order.name(), order.project());
    Instant now = parts.clock().instant();
    boolean _ =
        parts
            .ledger()
            .<Boolean>write(tx -> {
              tx.loops().put(write.with(ForgeWrite.State.SENT, "", now));
              return true;
            });
    ForgeActResult result = forge.perform(write.act());
    if (result instanceof ForgeActResult.Refused(ForgeError.Limited(_, Instant until))) {
      return Optional.of(until);
    }
    boolean later =
        result instanceof ForgeActResult.Unknown
            || result instanceof ForgeActResult.Refused(ForgeError.Outage _);
    if (later) {
      LOG.log(
          Level.INFO,
          "It is not known whether {0} of loop {1} was done ({2}); looking it up in 30 s.",
          write.key(),
          loop.id(),
          result);
      return Optional.of(parts.clock().instant().plus(RETRY_DELAY));
    }
    listener.onFact(loop.id(), new LoopFact.ForgeWrote(write.key(), write.act(), result));
    return Optional.empty();
  }
}
