package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a dispatch: every rule is tried, and all that is broken is told at once. */
public final class DispatchReader {
  static final int MAX_INPUT = 256 * 1024;
  static final int MAX_ID = 64;
  static final int MAX_KEY = 128;
  static final int MAX_TESTS = 100;

  static final String NO_SCREENSHOTS = "no request for screenshots: evidence is text";
  private static final Pattern SCREENSHOT =
      Pattern.compile(
          "\\b(screen[ -]?shots?|(browser_)?take_screenshot|comet_screenshot|image analysis)\\b",
          Pattern.CASE_INSENSITIVE);

  static final String OPAQUE_RULE = "1 to 64 visible characters without spaces";
  static final Set<String> KNOWN =
      Set.of(
          "run_id",
          "request_id",
          "task_type",
          "context_intent",
          "input",
          "repo",
          "base_branch",
          "branch",
          "acceptance_tests",
          "output_contract",
          "ui_impacting",
          "session_id",
          "parent_run_id",
          "priority",
          "project_key");

  private DispatchReader() {}

  public static Validated<Dispatch> read(JsonValue value) {
    if (!(value instanceof JsonValue.Obj fields)) {
      return new Validated.Invalid<>(
          List.of(
              Problem.invalid(
                  "dispatch",
                  "one JSON object",
                  "a dispatch is one JSON object and nothing else")));
    }
    FieldReader sheet = new FieldReader(fields);
    Optional<RunId> runId = sheet.required("run_id", RunId::of);
    Optional<String> requestId = sheet.optional("request_id", DispatchReader::opaque);
    Optional<TaskType> taskType =
        sheet.required("task_type", sheet.oneOf(TaskType.class, "task_type"));
    Optional<ContextIntent> intent =
        sheet.required("context_intent", sheet.oneOf(ContextIntent.class, "context_intent"));
    Optional<String> input = sheet.required("input", DispatchReader::input);
    Optional<RepoName> repo = sheet.required("repo", RepoName::of);
    Optional<BranchName> base = sheet.optional("base_branch", BranchName::of);
    Optional<BranchName> branch = sheet.required("branch", BranchName::ofWorker);
    List<String> tests = tests(sheet);
    Optional<SessionId> session = sheet.optional("session_id", SessionId::of);
    if (session.isPresent() && intent.equals(Optional.of(ContextIntent.FRESH))) {
      sheet.wrong(
          "session_id",
          "absent when context_intent is fresh",
          "a fresh dispatch begins a conversation: leave session_id out or say continue");
    }
    OutputContract output = output(sheet, intent);
    boolean uiImpacting = sheet.flag("ui_impacting", true);
    Optional<RunId> parent = sheet.optional("parent_run_id", RunId::of);
    if (parent.isPresent() && parent.equals(runId)) {
      sheet.wrong("parent_run_id", "another run", "a run cannot be its own parent");
    }
    Optional<TaskPriority> priority =
        sheet.optional("priority", sheet.oneOf(TaskPriority.class, "priority"));
    Optional<String> project = sheet.optional("project_key", DispatchReader::key);
    if (!sheet.problems().isEmpty()) {
      return new Validated.Invalid<>(sheet.problems());
    }
    return new Validated.Valid<>(
        new Dispatch(
            runId.orElseThrow(),
            requestId,
            taskType.orElseThrow(),
            intent.orElseThrow(),
            input.orElseThrow(),
            repo.orElseThrow(),
            base,
            branch.orElseThrow(),
            tests,
            output,
            uiImpacting,
            session,
            parent,
            priority.orElse(TaskPriority.NORMAL),
            project,
            fields.fields().keySet().stream().filter(name -> !KNOWN.contains(name)).toList()));
  }

  private static String opaque(String text) {
    boolean sound =
        !text.isEmpty()
            && text.length() <= MAX_ID
            && text.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
    if (!sound) {
      throw Problem.invalid("", OPAQUE_RULE, "must be " + OPAQUE_RULE).refused();
    }
    return text;
  }

  private static String key(String text) {
    if (text.isBlank() || text.length() > MAX_KEY) {
      throw Problem.invalid("", "1 to 128 characters", "must be 1 to 128 characters").refused();
    }
    return text;
  }

  private static String input(String text) {
    if (text.isBlank()) {
      throw Problem.invalid("input", "not blank", "input is blank").refused();
    }
    if (text.length() > MAX_INPUT) {
      throw Problem.of(
              Problem.Code.TOO_LARGE, "input", "at most 256 Ki characters", "input is too long")
          .refused();
    }
    if (SCREENSHOT.matcher(text).find()) {
      throw Problem.invalid("input", NO_SCREENSHOTS, "input must not ask for screenshots")
          .refused();
    }
    return text;
  }

  private static List<String> tests(FieldReader sheet) {
    Optional<List<String>> tests = sheet.texts("acceptance_tests");
    if (tests.isEmpty()) {
      return List.of();
    }
    if (tests.get().isEmpty() || tests.get().size() > MAX_TESTS) {
      sheet.wrong("acceptance_tests", "1 to " + MAX_TESTS + " tests");
    }
    if (tests.get().stream().anyMatch(test -> SCREENSHOT.matcher(test).find())) {
      sheet.wrong(
          "acceptance_tests", NO_SCREENSHOTS, "acceptance_tests must not ask for screenshots");
    }
    return tests.get();
  }

  private static OutputContract output(FieldReader sheet, Optional<ContextIntent> intent) {
    Optional<FieldReader> inner = sheet.inner("output_contract");
    if (inner.isEmpty()) {
      return new OutputContract(List.of(), false);
    }
    Set<String> required =
        new LinkedHashSet<>(inner.get().texts("required_fields").orElse(List.of()));
    boolean evidence = inner.get().flag("browser_evidence_required", false);
    if (!required.isEmpty()) {
      missing(required, intent)
          .forEach(field ->
              inner
                  .get()
                  .wrong(
                      "required_fields",
                      "contains " + field,
                      "output_contract.required_fields is missing " + field));
    } else if (sheet.problems().stream()
        .noneMatch(problem -> problem.field().endsWith("required_fields"))) {
      inner.get().wrong("required_fields", "not empty");
    }
    return new OutputContract(List.copyOf(required), evidence);
  }

  private static List<String> missing(Set<String> required, Optional<ContextIntent> intent) {
    List<String> missing =
        new ArrayList<>(
            OutputContract.ALWAYS.stream().filter(field -> !required.contains(field)).toList());
    if (!required.contains(OutputContract.PR_URL)
        && !required.contains(OutputContract.PR_SKIPPED)) {
      missing.add("pr_url or pr_skipped_reason");
    }
    if (intent.equals(Optional.of(ContextIntent.CONTINUE))
        && !required.contains(OutputContract.SESSION)) {
      missing.add("session_id, since context_intent is continue");
    }
    return missing;
  }
}
