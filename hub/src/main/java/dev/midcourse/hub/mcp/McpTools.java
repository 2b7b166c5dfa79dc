package dev.midcourse.hub.mcp;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.contract.DispatchSchema;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.hub.api.json.Requests.Reply;
import dev.midcourse.hub.api.json.Requests.Review;
import dev.midcourse.hub.api.json.Requests.Verdict;
import dev.midcourse.hub.api.operation.HubOperations;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The MCP tools of a lead: they translate arguments and results of {@link HubOperations}. */
final class McpTools {
  private static final int MAX_LISTED = 100;
  private static final int MAX_WAIT_SECONDS = 300;

  private final HubOperations operations;

  McpTools(HubOperations operations) {
    this.operations = operations;
  }

  private record RunWithSteers(RunView view, List<Receipt> steers) {}

  List<McpTool> all() {
    return List.of(
        new McpTool(
            "dispatch_run",
            "Give a worker a task. The dispatch is a contract: every field is checked, and all that"
                + " is wrong is told at once. The run works on its own branch in its own checkout;"
                + " you are told of its progress and its end.",
            schema(
                List.of("dispatch"),
                "worker",
                text("whose work it is; without it one of your workers that is free"),
                "dispatch",
                DispatchSchema.value(operations.dispatches().commonRules())),
            this::dispatch),
        new McpTool(
            "steer_run",
            "Correct a run while it works. The receipt says how far the correction provably got:"
                + " stored, offered, accepted, injected (it is in the worker's session), seen,"
                + " answered. Set wait_for to injected to be sure.",
            schema(
                List.of("run_id", "text"),
                "run_id",
                text("the run, or the beginning of its name"),
                "text",
                text("what the worker is to take into account"),
                "mode",
                oneOf(
                    SteerMode.class,
                    "steer: in the running turn (default); interrupt: at once; follow_up: after"
                        + " this turn; next: for its next call; stop: end it"),
                "key",
                text("idempotency key"),
                "wait_for",
                oneOf(Rung.class, "answer when the steer is this far, or has ended"),
                "timeout_seconds",
                number("maximum time to wait; default 30")),
            this::steer),
        new McpTool(
            "list_runs",
            "List your workers' runs, newest first.",
            schema(
                List.of(),
                "states",
                JsonValue.object()
                    .with("type", "array")
                    .with("items", oneOf(RunState.class, "a state")),
                "limit",
                number("maximum number; default 20")),
            this::list),
        new McpTool(
            "show_run",
            "Look at a run and its steers. With wait_seconds the answer comes when the run has"
                + " ended, or after that time.",
            schema(
                List.of("run_id"),
                "run_id",
                text("the run, or the beginning of its name"),
                "wait_seconds",
                number("wait so long for its end")),
            this::show),
        new McpTool(
            "stop_run",
            "End a run and everything its agent has started. Its id may be dispatched again.",
            schema(List.of("run_id"), "run_id", text("the run, or the beginning of its name")),
            this::stop),
        new McpTool(
            "review_run",
            "Say what you think of a run in state review_requested: accept takes the work; rework"
                + " starts a run that fixes it in the same session.",
            schema(
                List.of("run_id", "verdict"),
                "run_id",
                text("the run, or the beginning of its name"),
                "verdict",
                oneOf(Verdict.class, "accept takes the work, rework requests changes"),
                "text",
                text("a note, or what is to be reworked")),
            this::review),
        new McpTool(
            "answer_ask",
            "Answer what a run's agent asks; the run waits until then. A steer is never an answer.",
            schema(
                List.of("run_id", "answer"),
                "run_id",
                text("the run, or the beginning of its name"),
                "answer",
                text("a permission request: allow or deny; a question: the answer in words"),
                "reason",
                text("why it is denied"),
                "ask",
                text("the id of the question, if more than one is open")),
            this::answer),
        new McpTool(
            "withdraw_steer",
            "Take a steer back that is not in the worker's session yet.",
            schema(
                List.of("steer_id"),
                "steer_id",
                text("the steer, or the first 4 characters of its id or more"),
                "reason",
                text("why")),
            this::withdraw));
  }

  private Object dispatch(Caller caller, ObjectReader inputs) {
    Optional<WorkerName> worker = inputs.optional("worker", WorkerName::of);
    Optional<JsonValue> dispatch = inputs.requiredValue("dispatch");
    inputs.finish();
    return operations
        .dispatches()
        .dispatch(caller, worker, dispatch.orElseThrow(), Optional.empty());
  }

  private Object steer(Caller caller, ObjectReader inputs) throws InterruptedException {
    Optional<String> run = inputs.required("run_id");
    Optional<SteerText> text = inputs.required("text", SteerText::of);
    Optional<SteerMode> mode = inputs.optional("mode", SteerMode.class);
    Optional<IdempotencyKey> key = inputs.optional("key", IdempotencyKey::of);
    Optional<Rung> until = inputs.optional("wait_for", Rung.class);
    Duration timeout = seconds(inputs, "timeout_seconds").orElse(Duration.ofSeconds(30));
    inputs.finish();
    SteerRequest request =
        SteerRequest.steer(text.orElseThrow()).withMode(mode.orElse(SteerMode.STEER)).withKey(key);
    Receipt receipt = operations.steers().submit(caller, run.orElseThrow(), request).receipt();
    return until.isPresent()
        ? operations.steers().await(receipt.steerId(), until.get(), timeout)
        : receipt;
  }

  private Object list(Caller caller, ObjectReader inputs) {
    List<String> states = inputs.optionalStrings("states");
    int limit = inputs.optionalNumber("limit", 1, MAX_LISTED).orElse(20L).intValue();
    inputs.finish();
    Set<RunState> wanted = states.stream().map(RunState::parse).collect(Collectors.toSet());
    return Map.of("runs", operations.runs().list(caller, RunQuery.newest(limit).in(wanted)).runs());
  }

  private Object show(Caller caller, ObjectReader inputs) throws InterruptedException {
    Optional<String> run = inputs.required("run_id");
    Optional<Duration> wait = seconds(inputs, "wait_seconds");
    inputs.finish();
    RunView view = operations.runs().show(caller, run.orElseThrow(), wait);
    return new RunWithSteers(view, operations.steers().list(caller, view.runId().value()));
  }

  private Object stop(Caller caller, ObjectReader inputs) {
    Optional<String> run = inputs.required("run_id");
    inputs.finish();
    return operations.runs().stop(caller, run.orElseThrow());
  }

  private Object review(Caller caller, ObjectReader inputs) {
    Optional<String> run = inputs.required("run_id");
    Optional<Verdict> verdict = inputs.required("verdict", Verdict.class);
    Optional<String> text = inputs.optional("text");
    inputs.finish();
    return operations
        .dispatches()
        .review(caller, run.orElseThrow(), new Review(verdict.orElseThrow(), text));
  }

  private Object answer(Caller caller, ObjectReader inputs) {
    Optional<String> run = inputs.required("run_id");
    Optional<String> answer = inputs.required("answer", Function.identity());
    Optional<String> reason = inputs.optional("reason");
    Optional<String> ask = inputs.optional("ask");
    inputs.finish();
    return operations
        .questions()
        .answer(caller, run.orElseThrow(), ask, new Reply(answer.orElseThrow(), reason));
  }

  private Object withdraw(Caller caller, ObjectReader inputs) {
    Optional<String> steer = inputs.required("steer_id");
    Optional<String> reason = inputs.optional("reason");
    inputs.finish();
    return operations.steers().withdraw(caller, steer.orElseThrow(), reason);
  }

  private static Optional<Duration> seconds(ObjectReader inputs, String name) {
    return inputs.optionalNumber(name, 1, MAX_WAIT_SECONDS).map(Duration::ofSeconds);
  }

  static JsonValue schema(List<String> required, Object... properties) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    for (int i = 0; i < properties.length; i += 2) {
      fields.put((String) properties[i], (JsonValue) properties[i + 1]);
    }
    return JsonValue.object()
        .with("type", "object")
        .with("properties", new JsonValue.Obj(fields))
        .with("required", JsonValue.strings(required))
        .with("additionalProperties", false);
  }

  static JsonValue text(String words) {
    return JsonValue.object().with("type", "string").with("description", words);
  }

  static JsonValue number(String words) {
    return JsonValue.object().with("type", "integer").with("description", words);
  }

  static <E extends Enum<E>> JsonValue oneOf(Class<E> type, String words) {
    return JsonValue.object()
        .with("type", "string")
        .with(
            "enum",
            JsonValue.strings(Arrays.stream(type.getEnumConstants()).map(WireNames::name).toList()))
        .with("description", words);
  }
}
