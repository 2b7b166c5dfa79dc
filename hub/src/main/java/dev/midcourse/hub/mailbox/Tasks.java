package dev.midcourse.hub.mailbox;

import dev.midcourse.agents.mail.MailFolder;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.Wire;
import dev.midcourse.core.authority.Asker;
import dev.midcourse.core.contract.Value;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.Key;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.hub.api.Errands;
import dev.midcourse.hub.mailbox.Letters.Letter;
import dev.midcourse.ledger.json.RunView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Does what a group's task asks for, as that group, and says in a letter what came of it. */
final class Tasks {
  static final String DOOR = "mailbox";
  private static final int LONGEST_MESSAGE = 64 * 1024;

  private final Asker.Member asker;
  private final Errands errands;
  private final Delivery delivery;
  private final Executor later = Executors.newVirtualThreadPerTaskExecutor();

  /** Brings a message to another group; false when that has no mailbox. */
  @FunctionalInterface
  interface Delivery {
    boolean bring(GroupName from, GroupName to, String text);
  }

  Tasks(Asker.Member asker, Errands errands, Delivery delivery) {
    this.asker = asker;
    this.errands = errands;
    this.delivery = delivery;
  }

  /** The same for the same file, also after a crash between its effect and its end. */
  static Key key(String name, MailFolder.Found file) {
    String same = name + "\0" + file.changed() + "\0" + file.text();
    return Key.of("mailbox-" + UUID.nameUUIDFromBytes(same.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The answer; steers are stored in the order in which this was asked.
   *
   * @param known the runs that were looked up for the tasks of the same look
   */
  CompletableFuture<Letter> answer(
      Value.Fields task,
      MailFolder.Found file,
      Key key,
      boolean onlyMessages,
      Map<String, Run> known) {
    try {
      String type = onlyMessages ? "message" : required(task, "type");
      return switch (type) {
        case "steer_worker" ->
            steer(task, key, known).thenApplyAsync(l -> l, later).exceptionally(Tasks::refusal);
        case "dispatch" -> now(() -> dispatch(task, file.changed()));
        case "stop_worker" -> now(() -> Letters.run(errands.stop(asker, required(task, "run_id"))));
        case "review_run" -> now(() -> review(task));
        case "withdraw_steer" ->
            now(() ->
                Letters.receipt(
                    errands.withdraw(
                        asker,
                        required(task, "steer_id"),
                        text(task, "reason").orElse("withdrawn by its author"))));
        case "message" -> now(() -> message(task));
        default ->
            throw Problem.invalid(
                    "type",
                    "one of: steer_worker, dispatch, stop_worker, review_run, withdraw_steer,"
                        + " message",
                    "there is no task " + Wire.shown(type))
                .refused();
      };
    } catch (RefusedException refused) {
      return CompletableFuture.completedFuture(Letters.refusal(refused));
    }
  }

  private CompletableFuture<Letter> now(Supplier<Letter> work) {
    return CompletableFuture.supplyAsync(work, later).exceptionally(Tasks::refusal);
  }

  private static Letter refusal(Throwable why) {
    Throwable cause =
        why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
    return Letters.refusal(
        cause instanceof RefusedException refused
            ? refused
            : Problem.of(
                    Code.UNAVAILABLE, "task", "a hub at work", "it could not be done: " + cause)
                .refused());
  }

  private CompletableFuture<Letter> steer(Value.Fields task, Key key, Map<String, Run> known) {
    Mode mode =
        text(task, "mode").map(text -> Wire.parse(Mode.class, "mode", text)).orElse(Mode.STEER);
    Errands.SteerWish wish =
        new Errands.SteerWish(
            required(task, "run_id"),
            SteerText.of(required(task, "message")),
            mode,
            Optional.of(text(task, "key").map(Key::of).orElse(key)));
    return errands
        .steerLater(asker, wish, known)
        .thenApply(done -> Letters.receipt(done.receipt()));
  }

  private Letter dispatch(Value.Fields task, Instant written) {
    Value dispatch =
        task.get("dispatch")
            .orElseThrow(
                () -> Problem.invalid("dispatch", "required", "dispatch is missing").refused());
    Optional<WorkerName> worker = text(task, "worker").map(WorkerName::of);
    Optional<Run> done = errands.dispatchedSince(asker, dispatch, written);
    return Letters.run(RunView.of(done.orElseGet(() -> errands.dispatch(asker, worker, dispatch))));
  }

  private Letter review(Value.Fields task) {
    return Letters.run(
        errands.review(
            asker,
            required(task, "run_id"),
            Wire.parse(Errands.Verdict.class, "verdict", required(task, "verdict")),
            text(task, "text").orElse("")));
  }

  private Letter message(Value.Fields task) {
    GroupName to = text(task, "to").map(GroupName::of).orElse(asker.group().name());
    String text = required(task, "text");
    if (text.length() > LONGEST_MESSAGE) {
      throw Problem.of(
              Code.TOO_LARGE, "text", "at most 64 Ki characters", "the message is too long")
          .refused();
    }
    errands.mayTell(asker, to);
    if (!delivery.bring(asker.group().name(), to, text)) {
      throw Problem.of(
              Code.NOT_FOUND, "to", "a group with a mailbox", "there is no mailbox of " + to)
          .refused();
    }
    return Letters.sent(to);
  }

  private static Optional<String> text(Value.Fields task, String field) {
    Optional<Value> value = task.get(field).filter(it -> !(it instanceof Value.Null));
    if (value.isPresent() && !(value.get() instanceof Value.Text)) {
      throw Problem.invalid(field, "a string", field + " must be a string").refused();
    }
    return task.text(field);
  }

  private static String required(Value.Fields task, String field) {
    return text(task, field)
        .filter(value -> !value.isBlank())
        .orElseThrow(
            () -> Problem.invalid(field, "required", field + " is missing or blank").refused());
  }
}
