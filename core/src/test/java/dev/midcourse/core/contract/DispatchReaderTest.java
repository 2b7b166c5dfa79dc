package dev.midcourse.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchReaderTest {
  private static final List<JsonValue> OF_EVERY_TYPE =
      List.of(
          JsonValue.of(7),
          JsonValue.of(true),
          new JsonValue.Arr(List.of()),
          new JsonValue.Arr(List.of(JsonValue.of(1), new JsonValue.Null())),
          JsonValue.object().with("tools_listed", 1),
          JsonValue.of(""),
          JsonValue.of(" "),
          JsonValue.of("../../other/tasks/x"),
          new JsonValue.Null());

  /** Seen to fail when the rules of one team hold for every worker. */
  @Test
  void the_rules_of_a_team_hold_only_for_its_workers() {
    JsonValue task =
        Offered.dispatch()
            .with("branch", JsonValue.of("feature/null-case"))
            .with("input", JsonValue.of("Fix the page and take a screenshot"))
            .value();
    assertThat(DispatchReader.read(task, DispatchRules.defaultFor("builder-1")))
        .isInstanceOf(Validated.Valid.class);
    Validated<?> wrong = DispatchReader.read(task, DispatchRules.defaultFor("jarvis-worker-1"));
    assertThat(((Validated.Invalid<?>) wrong).problems()).hasSize(2);
    assertThat(DispatchReader.read(task, new DispatchRules("feature/", true)))
        .isInstanceOf(Validated.Valid.class);
  }

  @Test
  void a_sound_dispatch_is_read_with_every_field_in_its_type() {
    Dispatch dispatch = sound(Offered.dispatch().with("parent_run_id", JsonValue.of("run-041")));
    assertThat(dispatch.runId()).isEqualTo(RunId.of("run-20260301-042"));
    assertThat(dispatch.taskType()).isEqualTo(TaskType.IMPLEMENT);
    assertThat(dispatch.repo()).hasToString("acme/shop");
    assertThat(dispatch.parentRunId()).contains(RunId.of("run-041"));
    assertThat(dispatch.requestId()).isEmpty();
    assertThat(dispatch.priority()).isEqualTo(TaskPriority.NORMAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run_id",
        "task_type",
        "context_intent",
        "input",
        "repo",
        "branch",
        "acceptance_tests",
        "output_contract"
      })
  void a_field_that_is_required_and_missing_or_null_is_named(String field) {
    assertThat(fields(Offered.dispatch().without(field))).containsExactly(field);
    assertThat(fields(Offered.dispatch().with(field, new JsonValue.Null()))).containsExactly(field);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "request_id",
        "base_branch",
        "ui_impacting",
        "session_id",
        "parent_run_id",
        "priority",
        "project_key"
      })
  void an_optional_field_that_is_null_counts_as_absent(String field) {
    sound(Offered.dispatch().with(field, new JsonValue.Null()));
  }

  @Test
  void everything_that_is_wrong_is_reported_at_once() {
    Offered wrong =
        Offered.dispatch()
            .with("run_id", JsonValue.of("has space"))
            .with("task_type", JsonValue.of("cook"))
            .with("repo", JsonValue.of("shop"))
            .without("input")
            .with("acceptance_tests", new JsonValue.Arr(List.of()));
    assertThat(fields(wrong))
        .containsExactly("run_id", "task_type", "input", "repo", "acceptance_tests");
    assertThat(problems(wrong)).allMatch(problem -> !problem.rule().isBlank());
  }

  static Stream<List<Object>> refused() {
    return Stream.of(
            List.of("run_id", ""),
            List.of("run_id", "a b"),
            List.of("run_id", "x".repeat(65)),
            List.of("run_id", "../../other/tasks/x"),
            List.of("run_id", "a/b"),
            List.of("request_id", "has space"),
            List.of("request_id", "x".repeat(65)),
            List.of("repo", "../.."),
            List.of("repo", "acme/.."),
            List.of("repo", "acme/shop/more"),
            List.of("repo", "shop"),
            List.of("repo", "-x/shop"),
            List.of("branch", "feature-x"),
            List.of("branch", "jarvis-../../x"),
            List.of("branch", "jarvis-x/"),
            List.of("branch", "jarvis-a//b"),
            List.of("branch", "jarvis-x.lock"),
            List.of("branch", "Jarvis-x"),
            List.of("base_branch", "--upload-pack=x"),
            List.of("base_branch", "a b"),
            List.of("base_branch", "a/../b"),
            List.of("session_id", "../x"),
            List.of("session_id", "x".repeat(129)),
            List.of("parent_run_id", "a/b"),
            List.of("parent_run_id", "run-20260301-042"),
            List.of("priority", "urgent"),
            List.of("input", "take a screenshot of the page"),
            List.of("input", "Use browser_take_screenshot."),
            List.of("input", "  "))
        .map(pair -> new ArrayList<Object>(pair));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void a_value_that_breaks_its_fields_rule_is_refused_under_that_field(List<Object> pair) {
    String field = (String) pair.get(0);
    assertThat(fields(Offered.dispatch().with(field, JsonValue.of((String) pair.get(1)))))
        .contains(field);
  }

  @Test
  void an_id_of_64_characters_is_short_enough() {
    sound(Offered.dispatch().with("run_id", JsonValue.of("x".repeat(64))));
  }

  @Test
  void no_type_in_any_field_makes_the_reader_throw() {
    for (String field : DispatchSchema.value().object("properties").fields().keySet()) {
      for (JsonValue value : OF_EVERY_TYPE) {
        DispatchReader.read(Offered.dispatch().with(field, value).value());
        DispatchReader.read(
            Offered.dispatch()
                .with(
                    "output_contract",
                    JsonValue.object().with("required_fields", value).with(field, value))
                .value());
      }
    }
    OF_EVERY_TYPE.forEach(DispatchReader::read);
  }

  @Test
  void a_fresh_dispatch_has_no_session() {
    assertThat(fields(Offered.dispatch().with("session_id", JsonValue.of("s-1"))))
        .containsExactly("session_id");
  }

  @Test
  void a_dispatch_that_continues_asks_for_the_session_in_its_answer() {
    Offered goesOn = Offered.dispatch().with("context_intent", JsonValue.of("continue"));
    assertThat(problems(goesOn))
        .singleElement()
        .matches(problem -> problem.message().contains("session_id"));
    List<String> more = new ArrayList<>(Offered.REQUIRED);
    more.add("session_id");
    sound(
        goesOn.with(
            "output_contract",
            JsonValue.object().with("required_fields", JsonValue.strings(more))));
  }

  @Test
  void each_field_the_answer_must_hold_is_asked_for() {
    Offered few =
        Offered.dispatch()
            .with(
                "output_contract",
                JsonValue.object()
                    .with("required_fields", JsonValue.strings(List.of("run_id", "branch"))));
    assertThat(problems(few))
        .extracting(Problem::rule)
        .containsExactly(
            "contains commit_sha",
            "contains files_changed",
            "contains test_result",
            "contains risk",
            "contains pr_url or pr_skipped_reason");
  }

  @Test
  void a_reason_instead_of_a_pull_request_may_be_asked_for() {
    List<String> fields = new ArrayList<>(Offered.REQUIRED);
    fields.set(6, "pr_skipped_reason");
    sound(
        Offered.dispatch()
            .with(
                "output_contract",
                JsonValue.object().with("required_fields", JsonValue.strings(fields))));
  }

  @Test
  void users_who_see_a_difference_do_not_make_browser_evidence_necessary() {
    Dispatch dispatch = sound(Offered.dispatch().with("ui_impacting", JsonValue.of(true)));
    assertThat(dispatch.uiImpacting()).isTrue();
    assertThat(dispatch.outputContract().browserEvidence()).isFalse();
  }

  @Test
  void an_unknown_field_has_no_effect_and_is_named() {
    assertThat(sound(Offered.dispatch().with("sesion_id", JsonValue.of("x"))).ignored())
        .containsExactly("sesion_id");
  }

  @Test
  void a_list_or_a_text_is_no_dispatch() {
    assertThat(DispatchReader.read(new JsonValue.Arr(List.of(Offered.dispatch().value()))))
        .isInstanceOf(Validated.Invalid.class);
    assertThat(DispatchReader.read(JsonValue.of("{}"))).isInstanceOf(Validated.Invalid.class);
  }

  private static Dispatch sound(Offered offered) {
    assertThat(problems(offered)).isEmpty();
    return DispatchReader.read(offered.value(), DispatchRules.JARVIS).orRefuse();
  }

  private static List<String> fields(Offered offered) {
    return problems(offered).stream().map(Problem::field).toList();
  }

  private static List<Problem> problems(Offered offered) {
    return switch (DispatchReader.read(offered.value(), DispatchRules.JARVIS)) {
      case Validated.Valid<Dispatch> _ -> List.of();
      case Validated.Invalid<Dispatch>(List<Problem> problems) -> problems;
    };
  }
}
