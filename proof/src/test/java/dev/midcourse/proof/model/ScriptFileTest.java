package dev.midcourse.proof.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.proof.model.wire.Json;
import dev.midcourse.proof.model.wire.ModelUsage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A script in a file is equal to the same script in Java. */
class ScriptFileTest {

  @Test
  void every_step_can_be_written_in_a_file() {
    var script =
        ScriptFile.parse(
            """
            {"steps": [
              {"shell": "make", "saying": "I build."},
              {"shell": ["a", "b"]},
              {"tool": "Read", "arguments": {"file_path": "x"}},
              {"fail": 529, "times": 2, "retry_after_ms": 100},
              {"say": "slowly", "chunk": 2, "pause_ms": 5, "delay_ms": 7,
               "usage": {"input": 1, "output": 2, "cache_read": 3, "cache_write": 4}},
              {"cut_after": "half"}],
             "at_the_end": {"say": "over"}}
            """);

    assertThat(script.steps())
        .containsExactly(
            Step.shell("make").saying("I build."),
            Step.shell("a", "b"),
            Step.call(new ToolCall.Named("Read", Json.object("file_path", "x"))),
            new Step.Fail(529, 2, Optional.of(Duration.ofMillis(100))),
            Step.say("slowly", new Pace(2, Duration.ofMillis(5)))
                .using(new ModelUsage(1, 2, 3, 4))
                .after(Duration.ofMillis(7)),
            Step.cutAfter("half"));
    assertThat(script.atTheEnd()).isEqualTo(Step.say("over"));
  }

  @Test
  void hangs_and_reactions_can_be_written_in_a_file() {
    var script =
        ScriptFile.parse(
            """
            {"steps": [{"hang": true}],
             "reactions": [{"when_sees": "tabs?", "steps": [{"say": "yes"}]}]}
            """);

    assertThat(script.steps()).hasOnlyElementsOfType(Step.Hang.class);
    assertThat(script.reactions().getFirst().seen().pattern()).isEqualTo("tabs?");
    assertThat(script.reactions().getFirst().steps()).isEqualTo(List.of(Step.say("yes")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense | not JSON",
        "[] | script is an object",
        "{} | steps is a list",
        "{\"steps\": [{\"say\": 1}]} | steps[0].say is a text",
        "{\"steps\": [{\"say\": \"a\", \"shell\": \"b\"}]} | exactly one of",
        "{\"steps\": [{\"fail\": 200}]} | steps[0].fail",
        "{\"steps\": [{\"shell\": []}]} | steps[0].shell is a command",
        "{\"steps\": [], \"extra\": 1} | script.extra is not known",
        "{\"steps\": [], \"reactions\": [{\"when_sees\": \"(\", \"steps\": []}]} | regular",
        "{\"steps\": [{\"tool\": \"Read\", \"arguments\": 1}]} | steps[0].arguments is an object",
      })
  void a_mistake_names_its_place_and_the_rule(String json, String message) {
    assertThatThrownBy(() -> ScriptFile.parse(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void every_example_is_a_sound_script() throws Exception {
    try (var files = Files.list(Path.of("examples"))) {
      assertThat(files.toList())
          .isNotEmpty()
          .allSatisfy(
              file -> assertThat(ScriptFile.parse(Files.readString(file)).steps()).isNotEmpty());
    }
  }

  @Test
  void a_model_started_with_a_file_plays_it_in_every_lane(@TempDir Path folder) throws Exception {
    var file = folder.resolve("script.json");
    Files.writeString(file, "{\"steps\": [{\"say\": \"from a file\"}]}");

    try (var model = Main.start("--script", file.toString(), "--port", "0");
        var client = HttpClient.newHttpClient()) {
      for (var lane : List.of("a", "b")) {
        var request =
            HttpRequest.newBuilder(URI.create(model.url() + "/lane/" + lane + "/v1/messages"))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        ModelClient.anthropicBody("Go.").toString()))
                .build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.body()).contains("from a file");
      }
    }
  }

  @Test
  void a_wrong_command_line_says_what_is_wrong() {
    assertThatThrownBy(() -> Main.start("--script")).hasMessageContaining("usage");
    assertThatThrownBy(() -> Main.start("--port", "1")).hasMessageContaining("usage");
    assertThatThrownBy(() -> Main.start("--port", "70000")).hasMessageContaining("70000");
    assertThatThrownBy(() -> Main.start("--script", "absent.json"))
        .hasMessageContaining("no script absent.json");
  }
}
