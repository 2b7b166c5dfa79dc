package dev.midcourse.hub.mailbox;

import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.hub.api.json.Requests.Review;
import dev.midcourse.hub.api.json.Requests.Verdict;
import dev.midcourse.hub.api.operation.DispatchOperations;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.hub.mailbox.InboxMessages.InboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Does the task of a group with the rights of that group, and returns the answer as a message. */
final class TaskHandler {
  static final String ORIGIN = "mailbox";
  private static final int MAX_MESSAGE = 64 * 1024;

  /** The sequence of tasks that concern no run; no run can have such a name. */
  private static final String DISPATCHES = "/dispatches";

  private static final String NO_RUN = "/";

  private final Caller.Member caller;
  private final HubOperations operations;
  private final Delivery delivery;
  private final PerRunSequencer order = new PerRunSequencer();

  /** A task that was read from its file. */
  record Task(JsonValue.Obj fields, IdempotencyKey key, boolean onlyMessage) {
    /** Returns the key of the steer that the task makes, if it makes one. */
    String steerKey() {
      return fields.string("key").orElse(key.value());
    }
  }

  /** Delivers a message to another group, or returns the reason why it cannot. */
  @FunctionalInterface
  interface Delivery {
    Optional<Problem> bring(GroupName from, GroupName to, String text);
  }

  TaskHandler(Caller.Member caller, HubOperations operations, Delivery delivery) {
    this.caller = caller;
    this.operations = operations;
    this.delivery = delivery;
  }

  /**
   * Returns the key of a file. It is the same after a crash between the effect of the task and the
   * deletion of the file, and another one for a copy of the file.
   */
  static IdempotencyKey key(String name, MailboxDirectory.MailFile file) {
    String same = String.join("\0", name, "" + file.changed(), file.identity(), file.text());
    return IdempotencyKey.of(
        "mailbox-" + UUID.nameUUIDFromBytes(same.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Does the task and returns its answer. Tasks about the same run are done in the order of the
   * calls; so are dispatches, and so are tasks that name no run.
   *
   * @param known the runs that other tasks of the same batch have looked up
   */
  CompletableFuture<InboxMessage> answer(Task task, Map<String, Run> known) {
    JsonValue.Obj fields = task.fields();
    try {
      String type = task.onlyMessage() ? "message" : required(fields, "type");
      CompletableFuture<InboxMessage> message =
          switch (type) {
            case "steer_worker" -> steer(fields, task.key(), known);
            case "dispatch" -> {
              String run = DispatchOperations.runId(dispatched(fields)).value();
              known.remove(run);
              yield order.after(List.of(DISPATCHES, run), () -> dispatch(fields, task.key()));
            }
            case "stop_worker" ->
                about(fields, known, run -> InboxMessages.run(operations.runs().stop(caller, run)));
            case "review_run" -> about(fields, known, run -> review(run, fields));
            case "withdraw_steer" -> order.after(List.of(NO_RUN), () -> withdraw(fields));
            case "message" -> order.after(List.of(NO_RUN), () -> message(fields));
            default ->
                throw Problem.invalid(
                        "type",
                        "one of: steer_worker, dispatch, stop_worker, review_run, withdraw_steer,"
                            + " message",
                        "there is no task " + WireNames.shown(type))
                    .refused();
          };
      return message.exceptionally(TaskHandler::refusal);
    } catch (RuntimeException why) {
      return CompletableFuture.completedFuture(refusal(why));
    }
  }

  private CompletableFuture<InboxMessage> about(
      JsonValue.Obj task, Map<String, Run> known, Function<String, InboxMessage> work) {
    String run = required(task, "run_id");
    known.remove(run);
    return order.after(List.of(run), () -> work.apply(run));
  }

  private static InboxMessage refusal(Throwable why) {
    Throwable cause =
        why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
    return InboxMessages.refusal(
        cause instanceof RefusedException refused
            ? refused
            : Problem.of(
                    Code.UNAVAILABLE, "task", "a hub at work", "it could not be done: " + cause)
                .refused());
  }

  private CompletableFuture<InboxMessage> steer(
      JsonValue.Obj task, IdempotencyKey key, Map<String, Run> known) {
    ObjectReader reader = new ObjectReader(task);
    Optional<String> runId = reader.required("run_id");
    Optional<SteerText> text = reader.required("message", SteerText::of);
    Optional<SteerMode> mode = reader.optional("mode", SteerMode.class);
    Optional<IdempotencyKey> ownKey = reader.optional("key", IdempotencyKey::of);
    reader.throwProblems();
    String run = runId.orElseThrow();
    SteerRequest request =
        SteerRequest.steer(text.orElseThrow())
            .withMode(mode.orElse(SteerMode.STEER))
            .withKey(ownKey.orElse(key));
    Map<String, Run> runs = order.waits(run) ? new HashMap<>() : known;
    return order.steer(
        run,
        () ->
            operations
                .steers()
                .submitLater(caller, run, request, runs)
                .thenApply(done -> InboxMessages.receipt(done.receipt())));
  }

  private static JsonValue dispatched(JsonValue.Obj task) {
    ObjectReader reader = new ObjectReader(task);
    Optional<JsonValue> dispatch = reader.requiredValue("dispatch");
    reader.throwProblems();
    return dispatch.orElseThrow();
  }

  private InboxMessage dispatch(JsonValue.Obj task, IdempotencyKey key) {
    ObjectReader reader = new ObjectReader(task);
    Optional<WorkerName> worker = reader.optional("worker", WorkerName::of);
    reader.throwProblems();
    return InboxMessages.run(
        operations.dispatches().dispatch(caller, worker, dispatched(task), Optional.of(key)));
  }

  private InboxMessage review(String run, JsonValue.Obj task) {
    ObjectReader reader = new ObjectReader(task);
    Optional<Verdict> verdict = reader.required("verdict", Verdict.class);
    Optional<String> text = reader.optional("text");
    reader.throwProblems();
    return InboxMessages.run(
        operations.dispatches().review(caller, run, new Review(verdict.orElseThrow(), text)));
  }

  private InboxMessage withdraw(JsonValue.Obj task) {
    ObjectReader reader = new ObjectReader(task);
    Optional<String> steer = reader.required("steer_id");
    Optional<String> reason = reader.optional("reason");
    reader.throwProblems();
    return InboxMessages.receipt(operations.steers().withdraw(caller, steer.orElseThrow(), reason));
  }

  private InboxMessage message(JsonValue.Obj task) {
    ObjectReader reader = new ObjectReader(task);
    GroupName to = reader.optional("to", GroupName::of).orElse(caller.group().name());
    Optional<String> said = reader.required("text");
    reader.throwProblems();
    String text = said.orElseThrow();
    if (text.length() > MAX_MESSAGE) {
      throw Problem.of(
              Code.TOO_LARGE, "text", "at most 64 Ki characters", "the message is too long")
          .refused();
    }
    operations.groups().requireMayWrite(caller, to);
    delivery
        .bring(caller.group().name(), to, text)
        .ifPresent(why -> {
          throw why.refused();
        });
    return InboxMessages.sent(to);
  }

  private static String required(JsonValue.Obj task, String field) {
    ObjectReader reader = new ObjectReader(task);
    Optional<String> value = reader.required(field);
    reader.throwProblems();
    return value.orElseThrow();
  }
}
