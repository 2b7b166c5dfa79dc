package dev.midcourse.core.contract;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.ObjectReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Checks a completion against its dispatch. Reports all problems together. Never throws. */
public final class CompletionReader {
  private static final Pattern SHA = Pattern.compile("[0-9a-fA-F]{6,40}");
  private static final Pattern LOCAL =
      Pattern.compile("https?://127\\.0\\.0\\.1(:\\d{1,5})?(/.*)?");
  private static final Pattern LINK = Pattern.compile("https?://[^\\s/]+/\\S+");
  private static final Set<String> NO_COMMIT = Set.of("n/a", "na", "none", "no-commit");
  private static final String SHA_RULE = "6 to 40 hexadecimal digits";

  private CompletionReader() {}

  /**
   * Returns the completion, or all its problems.
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
    ObjectReader reader = new ObjectReader(block.get());
    Optional<RunId> run =
        same(reader, "run_id", reader.required("run_id", RunId::of), dispatch.runId());
    Optional<BranchName> branch =
        same(
            reader,
            "branch",
            reader.required("branch", text -> BranchName.ofWorker(text, "")),
            dispatch.branch());
    Optional<String> commit = commit(reader, dispatch);
    List<String> files = files(reader, dispatch);
    Optional<String> tests = reader.required("test_result");
    Optional<String> risk = reader.required("risk");
    Optional<String> prUrl = reader.optional(OutputContract.PR_URL, CompletionReader::link);
    Optional<String> prSkipped = reader.optional(OutputContract.PR_SKIPPED, ObjectReader::notBlank);
    if (reader.optionalValue(OutputContract.PR_URL).isEmpty()
        && reader.optionalValue(OutputContract.PR_SKIPPED).isEmpty()) {
      reader.report(
          OutputContract.PR_URL,
          "pr_url or pr_skipped_reason",
          "neither pr_url nor pr_skipped_reason is there");
    }
    Optional<SessionId> session =
        dispatch.outputContract().requires(OutputContract.SESSION)
            ? reader.required(OutputContract.SESSION, SessionId::of)
            : reader.optional(OutputContract.SESSION, SessionId::of);
    if (dispatch.outputContract().browserEvidence()) {
      evidence(reader);
    }
    others(reader, dispatch.outputContract());
    if (!reader.problems().isEmpty()) {
      return new Validated.Invalid<>(reader.problems());
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
      ObjectReader reader, String field, Optional<T> said, T expected) {
    if (said.isPresent() && !said.get().equals(expected)) {
      reader.report(
          field,
          "the dispatch's own: " + expected,
          field + " mismatch: the dispatch has " + expected);
    }
    return said;
  }

  private static Optional<String> commit(ObjectReader reader, Dispatch dispatch) {
    if (dispatch.noCode()) {
      return reader
          .optional(
              "commit_sha",
              text -> NO_COMMIT.contains(text.strip().toLowerCase(Locale.ROOT)) ? "" : sha(text))
          .filter(sha -> !sha.isEmpty());
    }
    return reader.required("commit_sha", CompletionReader::sha);
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

  private static List<String> files(ObjectReader reader, Dispatch dispatch) {
    if (dispatch.noCode() && reader.optionalValue("files_changed").isEmpty()) {
      return List.of();
    }
    List<String> files = reader.requiredStrings("files_changed").orElse(List.of());
    boolean given = reader.optionalValue("files_changed").isPresent();
    if (given && files.isEmpty() && dispatch.mustChangeCode() && reader.isValid("files_changed")) {
      reader.report("files_changed", "not empty for task_type " + dispatch.taskType().wire());
    }
    return files.stream().map(CompletionReader::plain).toList();
  }

  private static String plain(String file) {
    return file.startsWith("./") ? file.substring(2) : file;
  }

  private static void evidence(ObjectReader reader) {
    Optional<ObjectReader> inner = reader.requiredObject("browser_evidence");
    if (inner.isEmpty()) {
      return;
    }
    inner
        .get()
        .required(
            "base_url",
            text -> matching(text, LOCAL, "http or https at 127.0.0.1, with a port if need be"));
    if (inner.get().requiredStrings("tools_listed").filter(List::isEmpty).isPresent()) {
      inner.get().report("tools_listed", "not empty");
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
      ObjectReader reader, String field, String rule, Predicate<JsonValue> holds) {
    if (reader.optionalValue(field).filter(holds).isEmpty()) {
      reader.report(field, rule);
    }
  }

  /** Reports each further field that the dispatch requires and that is missing or blank. */
  private static void others(ObjectReader reader, OutputContract contract) {
    for (String field : contract.requiredFields()) {
      boolean known =
          OutputContract.ALWAYS.contains(field)
              || Set.of(OutputContract.PR_URL, OutputContract.PR_SKIPPED, OutputContract.SESSION)
                  .contains(field);
      Optional<JsonValue> value = reader.optionalValue(field);
      boolean blank =
          value.isPresent() && value.get() instanceof JsonValue.Str(String t) && t.isBlank();
      if (!known && (value.isEmpty() || blank)) {
        reader.report(field, "required by the dispatch", field + " is missing");
      }
    }
  }
}
