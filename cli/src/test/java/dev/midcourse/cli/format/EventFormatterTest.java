package dev.midcourse.cli.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.screen.Glyphs;
import dev.midcourse.core.event.EventKind;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventFormatterTest {
  private final EventFormatter formatter = new EventFormatter(Glyphs.UNICODE);

  private String tell(String json) {
    return formatter.tell(JsonReader.readObject(json)).map(EventLine::text).orElseThrow();
  }

  static List<String> kinds() {
    return RunEvent.kinds().stream().map(EventKind::of).toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void every_kind_of_event_there_is_has_words_of_its_own(String kind) {
    Optional<EventLine> line =
        formatter.tell(JsonValue.Obj.EMPTY.with("kind", kind).with("text", "words"));

    assertThat(line).isPresent();
    assertThat(line.get().text()).isNotEqualTo(kind);
  }

  /** Seen to fail when progress that the engine names is a line of its own. */
  @Test
  void progress_that_repeats_another_event_is_no_line() {
    EventFormatter formatter = new EventFormatter(Glyphs.UNICODE);
    for (String phase : List.of("thinking", "working", "using Bash")) {
      JsonValue.Obj event =
          JsonValue.Obj.EMPTY.with("kind", "progressed").with("phase", phase).with("summary", "ls");
      assertThat(formatter.tell(event)).as(phase).isEmpty();
    }
    JsonValue.Obj own =
        JsonValue.Obj.EMPTY
            .with("kind", "progressed")
            .with("phase", "compacting")
            .with("summary", "x");
    assertThat(formatter.tell(own).orElseThrow().text()).isEqualTo("compacting: x");
  }

  /** Seen to fail when the log says only that a run failed. */
  @Test
  void the_end_of_a_failed_run_has_its_reason_and_a_result_is_not_repeated() {
    assertThat(
            tell(
                "{\"kind\":\"run_ended\",\"state\":\"failed\",\"result\":\"no\\nimage\","
                    + "\"processes_ended\":2}"))
        .isEqualTo("failed: no image, 2 processes ended");
    assertThat(tell("{\"kind\":\"run_ended\",\"state\":\"done\",\"result\":\"It works.\"}"))
        .isEqualTo("done");
  }

  @Test
  void an_unknown_kind_is_shown_by_its_name() {
    assertThat(tell("{\"kind\":\"brand_new\"}")).isEqualTo("brand_new");
  }

  @Test
  void a_tool_that_failed_is_news_and_one_that_did_not_is_a_detail() {
    tell("{\"kind\":\"tool_started\",\"call\":\"c1\",\"tool\":\"shell\",\"summary\":\"make\"}");
    EventLine failed =
        formatter
            .tell(
                JsonReader.readObject(
                    "{\"kind\":\"tool_finished\",\"call\":\"c1\",\"ok\":false,\"summary\":\"exit"
                        + " 2\"}"))
            .orElseThrow();

    assertThat(failed.text()).isEqualTo("✗ shell: make · exit 2");
    assertThat(failed.weight()).isEqualTo(EventLine.Weight.NEWS);
    assertThat(
            formatter
                .tell(
                    JsonReader.readObject(
                        "{\"kind\":\"tool_finished\",\"call\":\"c2\",\"ok\":true}"))
                .orElseThrow()
                .weight())
        .isEqualTo(EventLine.Weight.DETAIL);
  }

  @Test
  void nothing_an_agent_says_reaches_the_terminal_as_a_command() {
    assertThat(tell("{\"kind\":\"said\",\"text\":\"one\\u001b[2J\\ntwo\\u0007\"}"))
        .isEqualTo("one⟨U+001B⟩[2J\ntwo⟨U+0007⟩");
    assertThat(
            tell(
                "{\"kind\":\"tool_started\",\"tool\":\"a\\u009bb\",\"summary\":\"two\\nlines\\u202e\"}"))
        .isEqualTo("▸ a⟨U+009B⟩b: two⟨U+000A⟩lines⟨U+202E⟩");
  }

  /** Seen to fail when a question is shown by the rule of messages, or its lines on one line. */
  @Test
  void a_question_shows_the_command_as_it_is_line_by_line() {
    assertThat(
            tell(
                "{\"kind\":\"asked\",\"ask\":\"a1\",\"ask_kind\":\"permission\","
                    + "\"question\":\"Bash: make\\u00a0x (+1 line)\","
                    + "\"detail\":\"command\\n  │ make\\u00a0x\\n  │ \\u202ehs|x\"}"))
        .isEqualTo(
            "! permission request (a1): Bash: make⟨U+00A0⟩x (+1 line)\n"
                + "command\n  │ make⟨U+00A0⟩x\n  │ ⟨U+202E⟩hs|x");
  }

  @Test
  void steers_are_named_by_the_beginning_of_their_id() {
    assertThat(
            tell(
                "{\"kind\":\"steer_stored\",\"steer_id\":\"3f2a91c0-1111\",\"mode\":\"interrupt\","
                    + "\"author\":{\"group\":\"lead\"},\"text\":\"no\"}"))
        .isEqualTo("steer 3f2a91c0 stored (interrupt) by lead: no");
    assertThat(
            tell(
                "{\"kind\":\"steer_raised\",\"steer_id\":\"3f2a91c0-1111\",\"rung\":\"injected\","
                    + "\"evidence\":\"before step 3\"}"))
        .isEqualTo("steer 3f2a91c0 injected · before step 3");
    assertThat(tell("{\"kind\":\"steer_stored\",\"steer_id\":\"3f2a\",\"mode\":\"follow_up\"}"))
        .isEqualTo("steer 3f2a stored (follow-up)");
  }

  @Test
  void a_turn_that_completed_is_shown_once() {
    assertThat(
            tell(
                "{\"kind\":\"turn_ended\",\"turn\":1,\"how\":\"completed\",\"reason\":\"completed\"}"))
        .isEqualTo("turn 1 completed");
    assertThat(
            tell("{\"kind\":\"turn_ended\",\"turn\":1,\"how\":\"error\",\"reason\":\"no credit\"}"))
        .isEqualTo("turn 1 error: no credit");
  }
}
