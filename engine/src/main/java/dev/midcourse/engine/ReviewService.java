package dev.midcourse.engine;

import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.Problem;
import dev.midcourse.core.contract.Dispatch;
import dev.midcourse.core.contract.WorkerPrompts;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.Author;
import dev.midcourse.engine.checkout.Checkouts;
import dev.midcourse.engine.checkout.StoredDispatch;
import dev.midcourse.engine.context.EngineContext;
import dev.midcourse.engine.context.NotFoundErrors;
import dev.midcourse.engine.queue.ReviewTransaction;
import dev.midcourse.engine.queue.SessionRule;
import dev.midcourse.ledger.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records the verdict of a reviewer: the work is accepted, or a new run reworks it. */
public final class ReviewService {
  private static final int SUFFIX = 4;
  private static final int MAX_STEM = 50;

  private final EngineContext context;
  private final Checkouts checkouts;
  private final Runnable signal;

  ReviewService(EngineContext context, Checkouts checkouts, Runnable signal) {
    this.context = context;
    this.checkouts = checkouts;
    this.signal = signal;
  }

  /** Accepts the work of a run. Its checkout is removed, now or by {@link #tidy}. */
  public Run accept(RunId id, String note, Author author) {
    Instant now = context.clock().instant();
    Run accepted =
        context
            .ledger()
            .write(tx -> ReviewTransaction.close(tx, id, "accepted", note, author, now));
    checkouts.release(accepted);
    return accepted;
  }

  /** Queues a new run that reworks the work, in the same session and the same checkout. */
  public Run rework(RunId id, String what, Author author) {
    if (what.isBlank()) {
      throw Problem.invalid("text", "not blank", "text must say what to change").refused();
    }
    Instant now = context.clock().instant();
    RunId next = RunId.of(stem(id) + "-" + context.ids().token(SUFFIX));
    Run queued =
        checkouts.alone(() -> {
          Run waiting =
              context.ledger().read(r -> r.run(id)).orElseThrow(() -> NotFoundErrors.run(id));
          ReviewTransaction.closed(waiting, now); // a refusal comes before any change on disk
          checkouts.markNextStart(waiting, next);
          return context.ledger().write(tx -> following(tx, id, next, what, author, now));
        });
    signal.run();
    return queued;
  }

  /** Removes checkouts that could not be removed when their work was accepted. */
  public void tidy() {
    checkouts.releaseRemaining();
  }

  private Run following(
      Transaction tx, RunId id, RunId next, String what, Author author, Instant now) {
    Run run = ReviewTransaction.close(tx, id, "rework", what, author, now);
    Run following = Run.queued(next, spec(run, next, what, author), now);
    RunSpec spec = following.spec();
    SessionRule.refuseIfInUse(tx, next, spec.agent(), spec.session());
    checkouts.enter(tx, next, spec, now);
    tx.put(following);
    tx.append(
        next,
        now,
        new RunEvent.RunQueued(spec.prompt(), spec.agent(), spec.worker(), spec.author()));
    return following;
  }

  /** The changes of the run, as a patch; empty if it has no checkout. */
  public Optional<Patch> diff(RunId id) {
    return checkouts.diff(
        context.ledger().read(r -> r.run(id)).orElseThrow(() -> NotFoundErrors.run(id)));
  }

  private static String stem(RunId id) {
    String name = id.value();
    String cut = name.length() <= MAX_STEM ? name : name.substring(0, MAX_STEM);
    return cut.endsWith(".") ? cut + "x" : cut;
  }

  private static RunSpec spec(Run run, RunId next, String what, Author author) {
    RunSpec old = run.spec();
    Optional<JsonValue.Obj> again =
        old.dispatch()
            .flatMap(JsonInput::parse)
            .filter(JsonValue.Obj.class::isInstance)
            .map(JsonValue.Obj.class::cast)
            .map(fields -> following(fields, run, next));
    Optional<Dispatch> dispatch = again.map(JsonWriter::compact).flatMap(StoredDispatch::parse);
    return new RunSpec(
        dispatch.map(it -> WorkerPrompts.rework(it, what)).orElse(what),
        old.agent(),
        old.worker(),
        old.workspace(),
        author,
        old.pending(),
        old.maxAttempts(),
        run.session(),
        Optional.of(run.id()),
        dispatch.flatMap(_ -> again).map(JsonWriter::compact));
  }

  /** The same dispatch under the id of the next run. It continues the session, if there is one. */
  private static JsonValue.Obj following(JsonValue.Obj written, Run run, RunId next) {
    JsonValue.Obj renamed =
        written
            .with("run_id", JsonValue.of(next.value()))
            .with("parent_run_id", JsonValue.of(run.id().value()));
    if (run.session().isEmpty()) {
      return renamed;
    }
    JsonValue.Obj output =
        renamed.get("output_contract").orElseThrow() instanceof JsonValue.Obj contract
            ? contract
            : JsonValue.object();
    return renamed
        .with("context_intent", JsonValue.of("continue"))
        .with("session_id", JsonValue.of(run.session().get().value()))
        .with("output_contract", output.with("required_fields", withSession(output)));
  }

  private static JsonValue withSession(JsonValue.Obj output) {
    List<JsonValue> fields = new ArrayList<>();
    if (output.get("required_fields").orElse(new JsonValue.Null())
        instanceof JsonValue.Arr(var items)) {
      fields.addAll(items);
    }
    JsonValue session = JsonValue.of("session_id");
    if (!fields.contains(session)) {
      fields.add(session);
    }
    return new JsonValue.Arr(fields);
  }
}
