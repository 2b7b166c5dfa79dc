package dev.midcourse.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionReaderTest {
  private static final Dispatch DISPATCH = dispatch(Offered.dispatch());
  private static final Dispatch WITH_EVIDENCE =
      dispatch(
          Offered.dispatch()
              .with(
                  "output_contract",
                  JsonValue.object()
                      .with("required_fields", JsonValue.strings(Offered.REQUIRED))
                      .with("browser_evidence_required", true)));
  private static final Offered EVIDENCE =
      Offered.completion()
          .with(
              "browser_evidence",
              JsonValue.object()
                  .with("base_url", "http://127.0.0.1:8080")
                  .with("tools_listed", JsonValue.strings(List.of("navigate")))
                  .with("execute_tool_evidence", "title: Shop")
                  .with("no_screenshots", true));

  @Test
  void a_completion_with_a_pull_request_or_a_reason_against_one_holds() {
    assertThat(wrong(Offered.completion())).isEmpty();
    assertThat(
            wrong(
                Offered.completion()
                    .without("pr_url")
                    .with("pr_skipped_reason", JsonValue.of("no remote"))))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run_id",
        "branch",
        "commit_sha",
        "files_changed",
        "test_result",
        "risk",
        "pr_url"
      })
  void each_field_is_needed(String field) {
    assertThat(wrong(Offered.completion().without(field))).containsExactly(field);
  }

  @Test
  void run_and_branch_are_the_dispatchs_own() {
    assertThat(problems(Offered.completion().with("run_id", JsonValue.of("other")), DISPATCH))
        .extracting(Problem::message)
        .singleElement()
        .asString()
        .contains("run_id mismatch");
    assertThat(wrong(Offered.completion().with("branch", JsonValue.of("jarvis-other"))))
        .containsExactly("branch");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n/a", "none", "no-commit", "12345", "xyzxyz", "HEAD"})
  void a_placeholder_is_no_commit(String sha) {
    assertThat(wrong(Offered.completion().with("commit_sha", JsonValue.of(sha))))
        .containsExactly("commit_sha");
  }

  @Test
  void six_digits_of_a_commit_are_enough() {
    assertThat(wrong(Offered.completion().with("commit_sha", JsonValue.of("A1b2c3")))).isEmpty();
  }

  @Test
  void a_sign_of_life_needs_no_commit_but_must_not_invent_one() {
    Dispatch ping = dispatch(Offered.dispatch().with("run_id", JsonValue.of("ping-1")));
    Offered answer = Offered.completion().with("run_id", JsonValue.of("ping-1"));
    assertThat(
            problems(answer.with("commit_sha", JsonValue.of("N/A")).without("files_changed"), ping))
        .isEmpty();
    assertThat(problems(answer.with("commit_sha", JsonValue.of("whatever")), ping)).isNotEmpty();
  }

  @Test
  void code_that_changed_no_file_is_not_done_but_research_may_be() {
    Offered none = Offered.completion().with("files_changed", new JsonValue.Arr(List.of()));
    assertThat(wrong(none)).containsExactly("files_changed");
    Dispatch research = dispatch(Offered.dispatch().with("task_type", JsonValue.of("research")));
    assertThat(problems(none, research)).isEmpty();
  }

  @Test
  void a_blank_reason_against_a_pull_request_is_none() {
    assertThat(
            wrong(
                Offered.completion()
                    .without("pr_url")
                    .with("pr_skipped_reason", JsonValue.of(" "))))
        .containsExactly("pr_skipped_reason");
  }

  @Test
  void whatever_else_the_dispatch_asked_for_is_checked_too() {
    List<String> more = new ArrayList<>(Offered.REQUIRED);
    more.add("rollback_plan");
    Dispatch dispatch =
        dispatch(
            Offered.dispatch()
                .with(
                    "output_contract",
                    JsonValue.object().with("required_fields", JsonValue.strings(more))));
    assertThat(problems(Offered.completion(), dispatch))
        .extracting(Problem::field)
        .containsExactly("rollback_plan");
    assertThat(
            problems(Offered.completion().with("rollback_plan", JsonValue.of("revert")), dispatch))
        .isEmpty();
  }

  @Test
  void browser_evidence_is_checked_to_its_last_field() {
    Dispatch dispatch = WITH_EVIDENCE;
    assertThat(problems(EVIDENCE, dispatch)).isEmpty();
    assertThat(problems(Offered.completion(), dispatch))
        .extracting(Problem::field)
        .containsExactly("browser_evidence");
    assertThat(
            problems(
                Offered.completion()
                    .with(
                        "browser_evidence",
                        JsonValue.object().with("base_url", "http://localhost:80")),
                dispatch))
        .extracting(Problem::field)
        .containsExactly(
            "browser_evidence.base_url",
            "browser_evidence.tools_listed",
            "browser_evidence.execute_tool_evidence",
            "browser_evidence.no_screenshots");
  }

  /** Seen to fail when the reader takes what lies in the evidence for a text. */
  @Test
  void no_type_in_any_field_makes_the_reader_throw() {
    List<JsonValue> odd =
        List.of(
            JsonValue.of(1),
            JsonValue.of(false),
            new JsonValue.Null(),
            new JsonValue.Arr(List.of(new JsonValue.Null(), JsonValue.of(2))),
            JsonValue.object().with("a", 1));
    for (String field : EVIDENCE.fields().keySet()) {
      for (JsonValue value : odd) {
        CompletionReader.read(Optional.of(EVIDENCE.with(field, value).value()), WITH_EVIDENCE);
      }
    }
    JsonValue.Obj evidence =
        (JsonValue.Obj) Objects.requireNonNull(EVIDENCE.fields().get("browser_evidence"));
    for (String field : evidence.fields().keySet()) {
      for (JsonValue value : odd) {
        Offered offered = EVIDENCE.with("browser_evidence", evidence.with(field, value));
        boolean holds = field.equals("execute_tool_evidence") && isSomething(value);
        assertThat(problems(offered, WITH_EVIDENCE).isEmpty()).as(field + value).isEqualTo(holds);
      }
    }
  }

  private static boolean isSomething(JsonValue value) {
    return value instanceof JsonValue.Arr || value instanceof JsonValue.Obj;
  }

  @Test
  void claims_are_checked_against_the_checkout() {
    Completion said =
        CompletionReader.read(Optional.of(Offered.completion().value()), DISPATCH).orRefuse();
    CheckoutState asSaid =
        new CheckoutState(
            Optional.of("jarvis-null-case"),
            Optional.of("1a2b3c4d"),
            true,
            true,
            true,
            List.of("src/App.java"));
    assertThat(CompletionVerifier.objections(said, asSaid)).isEmpty();
    CheckoutState elsewhere =
        new CheckoutState(Optional.of("main"), Optional.empty(), false, false, false, List.of());
    assertThat(CompletionVerifier.objections(said, elsewhere))
        .extracting(Problem::field)
        .containsExactly("branch", "commit_sha", "workspace");
    CheckoutState otherFiles =
        new CheckoutState(
            Optional.of("jarvis-null-case"),
            Optional.of("1a2b3c4d"),
            true,
            true,
            true,
            List.of("src/Other.java"));
    assertThat(CompletionVerifier.objections(said, otherFiles))
        .extracting(Problem::message)
        .containsExactly(
            "changed but not listed: \"src/Other.java\"",
            "listed but not changed: \"src/App.java\"");
  }

  private static List<String> wrong(Offered completion) {
    return problems(completion, DISPATCH).stream().map(Problem::field).toList();
  }

  private static List<Problem> problems(Offered completion, Dispatch dispatch) {
    return switch (CompletionReader.read(Optional.of(completion.value()), dispatch)) {
      case Validated.Valid<Completion> _ -> List.of();
      case Validated.Invalid<Completion>(List<Problem> problems) -> problems;
    };
  }

  private static Dispatch dispatch(Offered offered) {
    return DispatchReader.read(offered.value()).orRefuse();
  }
}
