package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads a completion against its dispatch. Never throws, whatever it is given. */
public final class CompletionReader {
  private static final Pattern SHA = Pattern.compile("[0-9a-fA-F]{6,40}");
  private static final Pattern LOCAL =
      Pattern.compile("https?://127\\.0\\.0\\.1(:\\d{1,5})?(/.*)?");
  private static final Pattern LINK = Pattern.compile("https?://[^\\s/]+/\\S+");
  private static final Set<String> NO_COMMIT = Set.of("n/a", "na", "none", "no-commit");
  private static final String SHA_RULE = "6 to 40 hexadecimal digits";

  private CompletionReader() {}

  /**
   * The completion, or everything that is wrong with it.
   *
   * @param block the last well-formed block, if there is one
   */
  public static Validated<Completion> read(Optional<JsonValue.Obj> block, Dispatch dispatch) {
    if (block.isEmpty()) {
      return new Validated.Invalid<>(
          List.of(
              Problem.invalid(
                  "completion",
                  "one JSON object between <completion> and </completion>",
                  "there is no completion block that holds one JSON object")));
    }
    FieldReader sheet = new FieldReader(block.get());
    Optional<RunId> run =
        same(sheet, "run_id", sheet.required("run_id", RunId::of), dispatch.runId());
    Optional<BranchName> branch =
        same(sheet, "branch", sheet.required("branch", BranchName::ofWorker), dispatch.branch());
    Optional<String> commit = commit(sheet, dispatch);
    List<String> files = files(sheet, dispatch);
    Optional<String> tests = sheet.required("test_result", CompletionReader::words);
    Optional<String> risk = sheet.required("risk", CompletionReader::words);
    Optional<String> prUrl = sheet.optional(OutputContract.PR_URL, CompletionReader::link);
    Optional<String> prSkipped = sheet.optional(OutputContract.PR_SKIPPED, CompletionReader::words);
    if (sheet.present(OutputContract.PR_URL).isEmpty()
        && sheet.present(OutputContract.PR_SKIPPED).isEmpty()) {
      sheet.wrong(
          OutputContract.PR_URL,
          "pr_url or pr_skipped_reason",
          "neither pr_url nor pr_skipped_reason is there");
    }
    Optional<SessionId> session =
        dispatch.outputContract().requires(OutputContract.SESSION)
            ? sheet.required(OutputContract.SESSION, SessionId::of)
            : sheet.optional(OutputContract.SESSION, SessionId::of);
    if (dispatch.outputContract().browserEvidence()) {
      evidence(sheet);
    }
    others(sheet, dispatch.outputContract());
    if (!sheet.problems().isEmpty()) {
      return new Validated.Invalid<>(sheet.problems());
    }
    return new Validated.Valid<>(
        new Completion(
            run.orElseThrow(),
            branch.orElseThrow(),
            commit,
            files,
            tests.orElseThrow(),
            risk.orElseThrow(),
            prUrl,
            prSkipped,
            session));
  }

  private static <T> Optional<T> same(
      FieldReader sheet, String field, Optional<T> said, T expected) {
    if (said.isPresent() && !said.get().equals(expected)) {
      sheet.wrong(
          field,
          "the dispatch's own: " + expected,
          field + " mismatch: the dispatch has " + expected);
    }
    return said;
  }

  private static Optional<String> commit(FieldReader sheet, Dispatch dispatch) {
    if (dispatch.noCode()) {
      return sheet
          .optional(
              "commit_sha",
              text -> NO_COMMIT.contains(text.strip().toLowerCase(Locale.ROOT)) ? "" : sha(text))
          .filter(sha -> !sha.isEmpty());
    }
    return sheet.required("commit_sha", CompletionReader::sha);
  }

  private static String sha(String text) {
    return matching(text, SHA, SHA_RULE).toLowerCase(Locale.ROOT);
  }

  private static String link(String text) {
    return matching(text, LINK, "an http or https address");
  }

  private static String matching(String text, Pattern shape, String rule) {
    if (!shape.matcher(text).matches()) {
      throw Problem.invalid("", rule, "must be " + rule).refused();
    }
    return text;
  }

  private static String words(String text) {
    if (text.isBlank()) {
      throw Problem.invalid("", "not blank", "is blank").refused();
    }
    return text;
  }

  private static List<String> files(FieldReader sheet, Dispatch dispatch) {
    if (dispatch.noCode() && sheet.present("files_changed").isEmpty()) {
      return List.of();
    }
    List<String> files = sheet.texts("files_changed").orElse(List.of());
    boolean given = sheet.present("files_changed").isPresent();
    if (given && files.isEmpty() && dispatch.mustChangeCode() && sound(sheet, "files_changed")) {
      sheet.wrong("files_changed", "not empty for task_type " + dispatch.taskType().wire());
    }
    return files.stream().map(CompletionReader::plain).toList();
  }

  private static boolean sound(FieldReader sheet, String field) {
    return sheet.problems().stream().noneMatch(problem -> problem.field().equals(field));
  }

  private static String plain(String file) {
    return file.startsWith("./") ? file.substring(2) : file;
  }

  private static void evidence(FieldReader sheet) {
    Optional<FieldReader> inner = sheet.inner("browser_evidence");
    if (inner.isEmpty()) {
      return;
    }
    inner
        .get()
        .required(
            "base_url",
            text -> matching(text, LOCAL, "http or https at 127.0.0.1, with a port if need be"));
    if (inner.get().texts("tools_listed").filter(List::isEmpty).isPresent()) {
      inner.get().wrong("tools_listed", "not empty");
    }
    require(
        inner.get(),
        "execute_tool_evidence",
        "what a tool answered",
        value ->
            switch (value) {
              case JsonValue.Str(String text) -> !text.isBlank();
              case JsonValue.Arr(List<JsonValue> items) -> !items.isEmpty();
              case JsonValue.Obj fields -> !fields.fields().isEmpty();
              case JsonValue.Num _, JsonValue.Bool _, JsonValue.Null _ -> false;
            });
    require(inner.get(), "no_screenshots", "true", value -> value.equals(new JsonValue.Bool(true)));
  }

  private static void require(
      FieldReader sheet, String field, String rule, Predicate<JsonValue> holds) {
    if (sheet.present(field).filter(holds).isEmpty()) {
      sheet.wrong(field, rule);
    }
  }

  /** What else the dispatch asked for is there, and is not blank. */
  private static void others(FieldReader sheet, OutputContract contract) {
    for (String field : contract.requiredFields()) {
      boolean known =
          OutputContract.ALWAYS.contains(field)
              || Set.of(OutputContract.PR_URL, OutputContract.PR_SKIPPED, OutputContract.SESSION)
                  .contains(field);
      Optional<JsonValue> value = sheet.present(field);
      boolean blank =
          value.isPresent() && value.get() instanceof JsonValue.Str(String t) && t.isBlank();
      if (!known && (value.isEmpty() || blank)) {
        sheet.wrong(field, "required by the dispatch", field + " is missing");
      }
    }
  }
}
