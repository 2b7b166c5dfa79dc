package dev.midcourse.core.contract;

import dev.midcourse.core.WireNames;
import dev.midcourse.core.json.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON Schema of a dispatch, built from the patterns and limits that {@link DispatchReader}
 * checks. Rules about several fields, or about stored runs, are checked by the reader and the
 * engine only.
 */
public final class DispatchSchema {
  private static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]*";

  private DispatchSchema() {}

  /** The schema without rules of a worker. */
  public static JsonValue.Obj value() {
    return value(DispatchRules.NONE);
  }

  /** The schema for workers with these rules. */
  public static JsonValue.Obj value(DispatchRules rules) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    fields.put("run_id", id("run id; it may be used again only if that run failed or was stopped"));
    fields.put(
        "request_id",
        orNull(text("id of the request that the run belongs to", "^\\S+$", DispatchReader.MAX_ID)));
    fields.put("task_type", oneOf(TaskType.class, "what kind of work it is"));
    fields.put(
        "context_intent",
        oneOf(ContextIntent.class, "fresh starts a new session, continue resumes one"));
    fields.put("input", text("what is to be done", "\\S", DispatchReader.MAX_INPUT));
    fields.put("repo", text("the repository", "^" + RepoName.SHAPE + "$", 140));
    fields.put(
        "base_branch",
        orNull(text("branch to start from", "^" + BranchName.SHAPE + "$", BranchName.MAX_LENGTH)));
    fields.put(
        "branch",
        text(
            "the run's own branch",
            "^" + BranchName.workerShape(rules.branchPrefix()) + "$",
            BranchName.MAX_LENGTH));
    fields.put("acceptance_tests", list("tests that the work must pass", DispatchReader.MAX_TESTS));
    fields.put("output_contract", outputContract());
    fields.put("ui_impacting", orNull(flag("whether users see a difference")));
    fields.put(
        "session_id", orNull(text("session to resume", "^[A-Za-z0-9][A-Za-z0-9._:-]*$", 128)));
    fields.put("parent_run_id", orNull(id("the run that this one follows")));
    fields.put("priority", orNull(oneOf(TaskPriority.class, "how urgent it is")));
    fields.put("project_key", orNull(text("project of the run", "\\S", DispatchReader.MAX_KEY)));
    return JsonValue.object()
        .with("$schema", "https://json-schema.org/draft/2020-12/schema")
        .with("title", "Midcourse dispatch")
        .with("type", "object")
        .with(
            "required",
            JsonValue.strings(
                List.of(
                    "run_id",
                    "task_type",
                    "context_intent",
                    "input",
                    "repo",
                    "branch",
                    "acceptance_tests",
                    "output_contract")))
        .with("properties", new JsonValue.Obj(fields))
        .with("allOf", new JsonValue.Arr(List.of(freshHasNoSession(), continueAsksForSession())));
  }

  private static JsonValue outputContract() {
    List<JsonValue> needs =
        OutputContract.ALWAYS.stream().<JsonValue>map(DispatchSchema::contains).toList();
    JsonValue pr =
        JsonValue.object()
            .with(
                "anyOf",
                new JsonValue.Arr(
                    List.of(contains(OutputContract.PR_URL), contains(OutputContract.PR_SKIPPED))));
    List<JsonValue> all = new java.util.ArrayList<>(needs);
    all.add(pr);
    return JsonValue.object()
        .with("type", "object")
        .with("required", JsonValue.strings(List.of("required_fields")))
        .with(
            "properties",
            JsonValue.object()
                .with(
                    "required_fields",
                    JsonValue.object()
                        .with("description", "fields that the completion must have")
                        .with("type", "array")
                        .with("items", text("a field's name", "\\S", DispatchReader.MAX_KEY))
                        .with("allOf", new JsonValue.Arr(all)))
                .with(
                    "browser_evidence_required",
                    flag("whether the completion must prove what was done in a browser")));
  }

  private static JsonValue contains(String name) {
    return JsonValue.object().with("contains", JsonValue.object().with("const", name));
  }

  private static JsonValue freshHasNoSession() {
    return when(
        ContextIntent.FRESH,
        JsonValue.object()
            .with(
                "properties",
                JsonValue.object().with("session_id", JsonValue.object().with("type", nulls()))));
  }

  private static JsonValue continueAsksForSession() {
    return when(
        ContextIntent.CONTINUE,
        JsonValue.object()
            .with(
                "properties",
                JsonValue.object()
                    .with(
                        "output_contract",
                        JsonValue.object()
                            .with(
                                "properties",
                                JsonValue.object()
                                    .with("required_fields", contains(OutputContract.SESSION))))));
  }

  private static JsonValue when(ContextIntent intent, JsonValue then) {
    return JsonValue.object()
        .with(
            "if",
            JsonValue.object()
                .with(
                    "properties",
                    JsonValue.object()
                        .with("context_intent", JsonValue.object().with("const", intent.wire())))
                .with("required", JsonValue.strings(List.of("context_intent"))))
        .with("then", then);
  }

  private static JsonValue nulls() {
    return JsonValue.of("null");
  }

  private static JsonValue id(String words) {
    return text(words, "^(?!.*\\.\\.)" + ID + "$", DispatchReader.MAX_ID);
  }

  private static JsonValue text(String words, String pattern, int maxLength) {
    return JsonValue.object()
        .with("description", words)
        .with("type", "string")
        .with("pattern", pattern)
        .with("maxLength", maxLength);
  }

  private static JsonValue flag(String words) {
    return JsonValue.object().with("description", words).with("type", "boolean");
  }

  private static JsonValue list(String words, int maxItems) {
    return JsonValue.object()
        .with("description", words)
        .with("type", "array")
        .with("minItems", 1)
        .with("maxItems", maxItems)
        .with("items", JsonValue.object().with("type", "string").with("pattern", "\\S"));
  }

  private static <E extends Enum<E>> JsonValue oneOf(Class<E> type, String words) {
    return JsonValue.object()
        .with("description", words)
        .with(
            "enum",
            JsonValue.strings(
                Arrays.stream(type.getEnumConstants()).map(WireNames::name).toList()));
  }

  private static JsonValue orNull(JsonValue schema) {
    return JsonValue.object()
        .with(
            "anyOf", new JsonValue.Arr(List.of(schema, JsonValue.object().with("type", nulls()))));
  }
}
