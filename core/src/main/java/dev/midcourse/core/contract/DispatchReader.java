package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a dispatch. Checks every rule and reports all problems together. Never throws. */
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

  private DispatchReader() {}

  /** Reads a dispatch without rules of a worker, such as one that was accepted before. */
  public static Validated<Dispatch> read(JsonValue value) {
    return read(value, DispatchRules.NONE);
  }

  /** Reads a dispatch for a worker with these rules. */
  public static Validated<Dispatch> read(JsonValue value, DispatchRules rules) {
    if (!(value instanceof JsonValue.Obj fields)) {
      return new Validated.Invalid<>(
          List.of(
              Problem.invalid(
                  "dispatch",
                  "one JSON object",
                  "a dispatch is one JSON object and nothing else")));
    }
    ObjectReader reader = new ObjectReader(fields);
    Optional<RunId> runId = reader.required("run_id", RunId::of);
    Optional<String> requestId = reader.optional("request_id", DispatchReader::opaque);
    Optional<TaskType> taskType = reader.required("task_type", TaskType.class);
    Optional<ContextIntent> intent = reader.required("context_intent", ContextIntent.class);
    Optional<String> input = reader.required("input", text -> input(text, rules));
    Optional<RepoName> repo = reader.required("repo", RepoName::of);
    Optional<BranchName> base = reader.optional("base_branch", BranchName::of);
    Optional<BranchName> branch =
        reader.required("branch", text -> BranchName.ofWorker(text, rules.branchPrefix()));
    List<String> tests = tests(reader, rules);
    Optional<SessionId> session = reader.optional("session_id", SessionId::of);
    if (session.isPresent() && intent.equals(Optional.of(ContextIntent.FRESH))) {
      reader.report(
          "session_id",
          "absent when context_intent is fresh",
          "a fresh dispatch starts a new session: remove session_id, or set context_intent to"
              + " continue");
    }
    OutputContract output = output(reader, intent);
    boolean uiImpacting = reader.flag("ui_impacting");
    Optional<RunId> parent = reader.optional("parent_run_id", RunId::of);
    if (parent.isPresent() && parent.equals(runId)) {
      reader.report("parent_run_id", "another run", "a run cannot be its own parent");
    }
    Optional<TaskPriority> priority = reader.optional("priority", TaskPriority.class);
    Optional<String> project = reader.optional("project_key", DispatchReader::key);
    if (!reader.problems().isEmpty()) {
      return new Validated.Invalid<>(reader.problems());
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
            reader.unreadFields()));
  }

  private static String opaque(String text) {
    boolean valid =
        !text.isEmpty()
            && text.length() <= MAX_ID
            && text.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c));
    if (!valid) {
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

  private static String input(String text, DispatchRules rules) {
    if (text.isBlank()) {
      throw Problem.invalid("input", "not blank", "input is blank").refused();
    }
    if (text.length() > MAX_INPUT) {
      throw Problem.of(
              Problem.Code.TOO_LARGE, "input", "at most 256 Ki characters", "input is too long")
          .refused();
    }
    if (asksForScreenshots(text, rules)) {
      throw Problem.invalid("input", NO_SCREENSHOTS, "input must not ask for screenshots")
          .refused();
    }
    return text;
  }

  private static boolean asksForScreenshots(String text, DispatchRules rules) {
    return !rules.screenshotsAllowed() && SCREENSHOT.matcher(text).find();
  }

  private static List<String> tests(ObjectReader reader, DispatchRules rules) {
    Optional<List<String>> tests = reader.requiredStrings("acceptance_tests");
    if (tests.isEmpty()) {
      return List.of();
    }
    if (tests.get().isEmpty() || tests.get().size() > MAX_TESTS) {
      reader.report("acceptance_tests", "1 to " + MAX_TESTS + " tests");
    }
    if (tests.get().stream().anyMatch(test -> asksForScreenshots(test, rules))) {
      reader.report(
          "acceptance_tests", NO_SCREENSHOTS, "acceptance_tests must not ask for screenshots");
    }
    return tests.get();
  }

  private static OutputContract output(ObjectReader reader, Optional<ContextIntent> intent) {
    Optional<ObjectReader> inner = reader.requiredObject("output_contract");
    if (inner.isEmpty()) {
      return new OutputContract(List.of(), false);
    }
    Set<String> required =
        new LinkedHashSet<>(inner.get().requiredStrings("required_fields").orElse(List.of()));
    boolean evidence = inner.get().flagNotNull("browser_evidence_required");
    if (!required.isEmpty()) {
      missing(required, intent)
          .forEach(field ->
              inner
                  .get()
                  .report(
                      "required_fields",
                      "contains " + field,
                      "output_contract.required_fields is missing " + field));
    } else if (inner.get().isValid("required_fields")) {
      inner.get().report("required_fields", "not empty");
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
