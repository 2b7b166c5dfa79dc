package dev.midcourse.core.contract;

import dev.midcourse.core.Wire;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON Schema of a dispatch, out of the same shapes and limits that {@link DispatchReader}
 * checks. What needs two fields at once, or the ledger, only the reader and the engine say.
 */
public final class DispatchSchema {
  private static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]*";

  private DispatchSchema() {}

  public static Value.Fields value() {
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("run_id", id("names the run; the same name again only after a failure or a stop"));
    fields.put(
        "request_id", orNull(text("what the run belongs to", "^\\S+$", DispatchReader.LONGEST_ID)));
    fields.put("task_type", oneOf(TaskType.class, "what kind of work it is"));
    fields.put(
        "context_intent",
        oneOf(ContextIntent.class, "fresh begins a conversation, continue goes on with one"));
    fields.put("input", text("what is to be done", "\\S", DispatchReader.LONGEST_INPUT));
    fields.put("repo", text("the repository", "^" + RepoName.SHAPE + "$", 140));
    fields.put(
        "base_branch",
        orNull(text("where the branch begins", "^" + BranchName.SHAPE + "$", BranchName.LONGEST)));
    fields.put(
        "branch",
        text("the run's own branch", "^" + BranchName.WORKER_SHAPE + "$", BranchName.LONGEST));
    fields.put("acceptance_tests", list("how it is seen that it works", DispatchReader.MOST_TESTS));
    fields.put("output_contract", outputContract());
    fields.put("ui_impacting", orNull(flag("whether users see a difference")));
    fields.put(
        "session_id",
        orNull(text("the conversation to go on with", "^[A-Za-z0-9][A-Za-z0-9._:-]*$", 128)));
    fields.put("parent_run_id", orNull(id("the run that this one follows")));
    fields.put("priority", orNull(oneOf(Priority.class, "how urgent it is")));
    fields.put(
        "project_key", orNull(text("what it is filed under", "\\S", DispatchReader.LONGEST_KEY)));
    return Value.fields(
        "$schema",
        Value.of("https://json-schema.org/draft/2020-12/schema"),
        "title",
        Value.of("Midcourse dispatch"),
        "type",
        Value.of("object"),
        "required",
        Value.texts(
            List.of(
                "run_id",
                "task_type",
                "context_intent",
                "input",
                "repo",
                "branch",
                "acceptance_tests",
                "output_contract")),
        "properties",
        new Value.Fields(fields),
        "allOf",
        new Value.Many(List.of(freshHasNoSession(), continueAsksForSession())));
  }

  private static Value outputContract() {
    List<Value> needs =
        OutputContract.ALWAYS.stream().<Value>map(DispatchSchema::contains).toList();
    Value pr =
        Value.fields(
            "anyOf",
            new Value.Many(
                List.of(contains(OutputContract.PR_URL), contains(OutputContract.PR_SKIPPED))));
    List<Value> all = new java.util.ArrayList<>(needs);
    all.add(pr);
    return Value.fields(
        "type",
        Value.of("object"),
        "required",
        Value.texts(List.of("required_fields")),
        "properties",
        Value.fields(
            "required_fields",
            Value.fields(
                "description",
                Value.of("what the completion must hold"),
                "type",
                Value.of("array"),
                "items",
                text("a field's name", "\\S", DispatchReader.LONGEST_KEY),
                "allOf",
                new Value.Many(all)),
            "browser_evidence_required",
            flag("whether the completion must prove what was done in a browser")));
  }

  private static Value contains(String name) {
    return Value.fields("contains", Value.fields("const", Value.of(name)));
  }

  private static Value freshHasNoSession() {
    return when(
        ContextIntent.FRESH,
        Value.fields("properties", Value.fields("session_id", Value.fields("type", nulls()))));
  }

  private static Value continueAsksForSession() {
    return when(
        ContextIntent.CONTINUE,
        Value.fields(
            "properties",
            Value.fields(
                "output_contract",
                Value.fields(
                    "properties",
                    Value.fields("required_fields", contains(OutputContract.SESSION))))));
  }

  private static Value when(ContextIntent intent, Value then) {
    return Value.fields(
        "if",
        Value.fields(
            "properties",
            Value.fields("context_intent", Value.fields("const", Value.of(intent.wire()))),
            "required",
            Value.texts(List.of("context_intent"))),
        "then",
        then);
  }

  private static Value nulls() {
    return Value.of("null");
  }

  private static Value id(String words) {
    return text(words, "^(?!.*\\.\\.)" + ID + "$", DispatchReader.LONGEST_ID);
  }

  private static Value text(String words, String pattern, int longest) {
    return Value.fields(
        "description",
        Value.of(words),
        "type",
        Value.of("string"),
        "pattern",
        Value.of(pattern),
        "maxLength",
        Value.of(longest));
  }

  private static Value flag(String words) {
    return Value.fields("description", Value.of(words), "type", Value.of("boolean"));
  }

  private static Value list(String words, int most) {
    return Value.fields(
        "description",
        Value.of(words),
        "type",
        Value.of("array"),
        "minItems",
        Value.of(1),
        "maxItems",
        Value.of(most),
        "items",
        Value.fields("type", Value.of("string"), "pattern", Value.of("\\S")));
  }

  private static <E extends Enum<E>> Value oneOf(Class<E> type, String words) {
    return Value.fields(
        "description",
        Value.of(words),
        "enum",
        Value.texts(Arrays.stream(type.getEnumConstants()).map(Wire::name).toList()));
  }

  private static Value orNull(Value schema) {
    return Value.fields("anyOf", new Value.Many(List.of(schema, Value.fields("type", nulls()))));
  }
}
