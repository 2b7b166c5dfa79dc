package dev.midcourse.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.json.JsonInput;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever text comes as an id, a dispatch or a completion, it is one or is refused. As an ordinary
 * test it plays the examples; {@code JAZZER_FUZZ=1} makes it look for others.
 */
@Tag("fuzz")
class ContractFuzzTest {
  private static final String DISPATCH =
      """
      {"run_id":"run-1","task_type":"implement","context_intent":"fresh","input":"Do it.",\
      "repo":"acme/shop","branch":"jarvis-x","acceptance_tests":["mvn test"],\
      "output_contract":{"required_fields":["run_id","branch","commit_sha","files_changed",\
      "test_result","risk","pr_url"]}}\
      """;
  private static final String COMPLETION =
      """
      <completion>{"run_id":"run-1","branch":"jarvis-x","commit_sha":"1a2b3c4",\
      "files_changed":["a"],"test_result":"ok","risk":"low"}</completion>\
      """;
  private static final List<Function<String, Object>> IDS =
      List.of(RunId::of, SteerId::of, SessionId::of, WorkerName::of, AgentName::of, GroupName::of);

  @MethodSource("dispatches")
  @FuzzTest(maxDuration = "2m")
  void a_dispatch(@NotNull String text) {
    Optional<JsonValue> value = JsonInput.parse(text);
    value.ifPresent(it -> {
      assertThat(JsonInput.parse(JsonWriter.compact(it))).contains(it);
      DispatchReader.read(it);
    });
    try {
      JsonInput.read("dispatch", text);
    } catch (RefusedException refused) {
      assertThat(refused.problem().field()).isNotBlank();
    }
  }

  @MethodSource("completions")
  @FuzzTest(maxDuration = "2m")
  void a_completion(@NotNull String answer) {
    Validated<Dispatch> dispatch = DispatchReader.read(JsonInput.parse(DISPATCH).orElseThrow());
    CompletionReader.read(CompletionBlocks.last(answer), dispatch.orRefuse());
  }

  @MethodSource("names")
  @FuzzTest(maxDuration = "2m")
  void an_id(@NotNull String text) {
    for (Function<String, Object> id : IDS) {
      try {
        String taken = id.apply(text).toString();
        assertThat(taken).isEqualTo(text);
        assertThat(Path.of("home").resolve(taken).normalize().getParent())
            .isEqualTo(Path.of("home"));
      } catch (RefusedException refused) {
        assertThat(refused.problem().message()).doesNotContain("\n", "\0");
      }
    }
  }

  static Stream<Arguments> dispatches() {
    return Stream.of(
            DISPATCH,
            DISPATCH.replace("\"fresh\"", "{}"),
            DISPATCH.replace("acme/shop", "../.."),
            DISPATCH + DISPATCH,
            "{\"a\":1,\"a\":2}",
            "1e999999999",
            DISPATCH.replace("{\"run_id\"", "{\"more\":-1e999,\"run_id\""),
            "1".repeat(400),
            "[".repeat(10_000))
        .map(Arguments::of);
  }

  static Stream<Arguments> completions() {
    return Stream.of(
            COMPLETION,
            COMPLETION.replace("\"", "\\\""),
            COMPLETION.replace("[\"a\"]", "{\"a\":[]}"),
            "<completion>".repeat(1_000),
            "<completion>{}</completion>" + COMPLETION + "<completion>")
        .map(Arguments::of);
  }

  static Stream<Arguments> names() {
    return Stream.of("run-1", "..", "a/b", "-x", "a\0b", "a\nb", "\u202e", "x".repeat(100))
        .map(Arguments::of);
  }
}
