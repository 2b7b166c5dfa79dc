package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.DisplayWidth;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.core.json.JsonException;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs every command against a real hub with the rehearsal agent, and checks output and exit code.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandsTest {
  private static final String BUSY = "Work.\n" + "$ sleep 1\n".repeat(300);

  private RealHub hub;

  @BeforeAll
  void a_hub_with_a_run(@TempDir Path data) throws IOException {
    hub = RealHub.start(data);
    hub.run("busy", BUSY);
  }

  @AfterAll
  void end_everything() throws IOException, InterruptedException {
    hub.close();
  }

  private String done(String... words) {
    return ended(ExitCode.DONE, words).out();
  }

  private CliRunner.Typed ended(ExitCode code, String... words) {
    CliRunner.Typed typed = hub.cli().type(words);
    assertThat(typed.code()).as(typed.all()).isEqualTo(code);
    return typed;
  }

  /** Checks a refusal: one line with the error, one line with the remedy, and no other output. */
  private void refused(ExitCode code, String what, String remedy, String... words) {
    CliRunner.Typed typed = ended(code, words);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err().lines()).hasSize(2);
    assertThat(typed.err().lines().toList().getFirst()).startsWith("midcourse: ").contains(what);
    assertThat(typed.err().lines().toList().getLast()).startsWith("  ").contains(remedy);
  }

  private JsonValue.Obj object(String... words) throws JsonException {
    return JsonReader.readObject(done(words));
  }

  private List<JsonValue.Obj> array(String... words) throws JsonException {
    return JsonReader.readObject("{\"all\":" + done(words) + "}").objects("all");
  }

  private String steer(String text, String... more) {
    List<String> words = new ArrayList<>(List.of("steer", "busy", text, "--json"));
    words.addAll(List.of(more));
    String out = done(words.toArray(String[]::new));
    try {
      return JsonReader.readObject(out).text("steer_id").orElseThrow();
    } catch (JsonException e) {
      throw new AssertionError(out, e);
    }
  }

  @Test
  void ps_lists_what_runs_for_people_programs_and_scripts() throws JsonException {
    assertThat(done("ps").lines().toList().getFirst())
        .startsWith("RUN")
        .contains("STATE", "AGENT", "ACTIVITY", "ATTENTION");
    assertThat(done("ps")).contains("busy").contains("running").contains("rehearsal");
    assertThat(done("ps", "--quiet").lines()).contains("busy");
    assertThat(array("ps", "--json"))
        .anySatisfy(run ->
            assertThat(run.fields())
                .containsKeys("run_id", "state", "agent", "worker", "prompt", "attempt", "turn"));
    assertThat(done("ps", "--worker", "nobody", "--json")).isEqualTo("[]\n");
  }

  /** Seen to fail when the output in a pipe has no width, and when an id is never shortened. */
  @Test
  void ps_fits_the_width_that_a_pipe_is_given() {
    String run = "fix-the-flaky-test-of-the-parser-a7k2";
    hub.run(run, "? May I go on\n$ true");
    Awaitility.await()
        .atMost(RealHub.TIMEOUT)
        .until(() -> done("ps").contains("permission request"));
    for (int columns : new int[] {60, 80, 120}) {
      CliRunner pipe = hub.cli().with("COLUMNS", Integer.toString(columns));
      CliRunner.Typed typed = pipe.type("ps");
      assertThat(typed.out())
          .contains("busy")
          .contains("fix-the-flaky")
          .contains("permission request");
      assertThat(typed.out().lines()).allMatch(line -> DisplayWidth.of(line) <= columns);
    }
    done("stop", run);
  }

  @Test
  void show_and_logs_tell_of_one_run_also_by_the_beginning_of_its_id() throws JsonException {
    assertThat(done("show", "bus")).contains("busy").contains("running");
    assertThat(object("show", "busy", "--json").text("run_id")).hasValue("busy");
    Awaitility.await().atMost(RealHub.TIMEOUT).until(() -> done("logs", "busy").contains("turn 1"));
    String first = done("logs", "busy", "--json").lines().findFirst().orElseThrow();
    JsonValue.Obj event = JsonReader.readObject(first);
    assertThat(event.fields()).containsKeys("cursor", "at", "run_id", "kind");
    String rest = done("logs", "busy", "--json", "--since", event.text("cursor").orElseThrow());
    assertThat(rest).isNotEmpty().doesNotContain(first);
    assertThat(done("logs", "busy", "--json", "--since", "1h")).contains(first);
    assertThat(done("logs", "busy", "--since", "0s")).doesNotContain("queued for");
    assertThat(ended(ExitCode.USAGE, "logs", "busy", "--since", "soon").err())
        .contains("--since: expected a duration");
  }

  @Test
  void a_steer_climbs_and_its_receipt_says_how_far() throws JsonException {
    String out = done("steer", "busy", "use tabs", "--wait", "injected", "--timeout", "60s");
    assertThat(out)
        .contains("stored")
        .contains("offered")
        .contains("accepted")
        .contains("injected");
    JsonValue.Obj receipt = array("steers", "busy", "--json").getFirst();
    assertThat(receipt.fields())
        .containsKeys("steer_id", "run_id", "seq", "mode", "text", "rung", "rungs");
    String id = receipt.text("steer_id").orElseThrow();
    assertThat(done("receipt", id.substring(0, 8))).contains("stored").contains("injected");
    assertThat(object("receipt", id, "--json").text("steer_id")).hasValue(id);
    assertThat(done("steers", "busy")).startsWith("STEER").contains("use tabs");
  }

  @Test
  void a_waiting_steer_is_edited_promoted_and_withdrawn() throws JsonException {
    String first = steer("then the changelog", "--later", "--timeout", "1h"); // waits for nothing
    assertThat(done("edit", first, "then the README")).contains(first.substring(0, 8));
    assertThat(object("receipt", first, "--json").text("text")).hasValue("then the README");
    done("withdraw", first);
    assertThat(object("receipt", first, "--json").text("ended")).hasValue("withdrawn");
    assertThat(ended(ExitCode.STEER_WITHDRAWN, "receipt", first, "--wait", "injected").out())
        .contains("withdrawn");
    String second = steer("sooner, please", "--follow-up");
    assertThat(done("steers", "busy")).contains("follow-up");
    done("promote", second);
    done("receipt", second, "--wait", "injected", "--timeout", "60s");
    refused(ExitCode.REFUSED, "", "midcourse receipt", "withdraw", second);
  }

  @Test
  void a_run_is_stopped_and_restarted_with_another_prompt() throws JsonException {
    hub.run("twice", BUSY);
    assertThat(done("stop", "twice")).contains("twice: stopped").contains("ended");
    assertThat(object("show", "twice", "--json").text("state")).hasValue("stopped");
    refused(ExitCode.REFUSED, "twice", "midcourse show", "steer", "twice", "too late");
    assertThat(ended(ExitCode.DONE, "prune", "--older-than", "0s", "--dry-run").out())
        .contains("twice");
    assertThat(object("show", "twice", "--json").text("state")).hasValue("stopped");
    assertThat(done("restart", "twice", "--prompt", "Say this.\n$ true"))
        .contains("stopped → ")
        .contains("was: Work.")
        .contains("now: Say this.");
    refused(ExitCode.REFUSED, "busy", "", "restart", "busy");
  }

  /** Seen to fail when the state of the run is not read before the editor starts. */
  @Test
  void a_steer_of_an_ended_run_is_refused_before_the_editor_opens(@TempDir Path folder)
      throws Exception {
    hub.run("over", BUSY);
    done("stop", "over");
    Path opened = folder.resolve("opened");
    Path editor = Files.writeString(folder.resolve("editor"), "#!/bin/sh\ntouch " + opened + "\n");
    assertThat(editor.toFile().setExecutable(true)).isTrue();
    CliRunner person =
        new CliRunner(
            hub.cli().data(),
            new ShellContext.Terminals(true, true, true, true, 80, 24),
            "",
            hub.cli().environment());
    CliRunner.Typed typed = person.with("VISUAL", editor.toString()).type("steer", "over");
    assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.REFUSED);
    assertThat(typed.err()).contains("run over has ended: stopped", "midcourse show over");
    assertThat(opened).doesNotExist();
    person.with("VISUAL", editor.toString()).type("steer", "busy");
    assertThat(opened).as("the editor opens for a live run").exists();
  }

  /**
   * Seen to fail when the cause at the end of a problem was cut off at the width of the terminal.
   */
  @Test
  void doctor_shows_a_problem_whole_on_a_narrow_terminal(@TempDir Path folder) throws Exception {
    Path claude =
        Files.writeString(
            folder.resolve("claude"), "#!/bin/sh\necho no module cli.js >&2\nexit 1\n");
    assertThat(claude.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        folder.resolve("midcourse.toml"), "[agents.claude]\ncommand = \"" + claude + "\"\n");
    try (RealHub other = RealHub.start(folder)) {
      String out = other.cli().watching(60).type("doctor").out();
      assertThat(out.replaceAll("\\s+", " "))
          .contains("--version exited with status 1: no module cli.js");
      assertThat(out).doesNotContain("…\n                  install it again");
    }
  }

  /** Seen to fail when an agent that does not print its version counts as found. */
  @Test
  void doctor_shows_an_agent_whose_version_fails_as_broken_and_how_to_fix_it(@TempDir Path folder)
      throws Exception {
    Path claude =
        Files.writeString(folder.resolve("claude"), "#!/bin/sh\necho no module >&2\nexit 1\n");
    assertThat(claude.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        folder.resolve("midcourse.toml"), "[agents.claude]\ncommand = \"" + claude + "\"\n");
    try (RealHub other = RealHub.start(folder)) {
      CliRunner.Typed typed = other.cli().type("doctor");
      assertThat(typed.code()).as(typed.all()).isNotEqualTo(ExitCode.DONE);
      assertThat(typed.out())
          .containsPattern("(?m)^✗ claude +" + claude + ": .*\\n.*install it again: npm");
      assertThat(other.cli().type("agents").out()).containsPattern("(?m)^claude +does not work");
      CliRunner.Typed run = other.cli().type("run", "--agent", "claude", "x");
      assertThat(run.code()).isEqualTo(ExitCode.REFUSED);
      assertThat(run.err())
          .contains("claude does not work (" + claude + "): --version exited with status 1")
          .endsWith("\n  check the agents and how to fix them: midcourse doctor\n");
      assertThat(other.cli().type("ps", "--all", "--json").out()).isEqualTo("[]\n");
    }
  }

  /** Seen to fail when a stop without a run is a usage error. */
  @Test
  void a_stop_of_no_runs_succeeds_with_a_message(@TempDir Path empty) throws Exception {
    try (RealHub other = RealHub.start(empty)) {
      for (String[] words : new String[][] {{"stop"}, {"stop", "--all"}}) {
        CliRunner.Typed typed = other.cli().type(words);
        assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
        assertThat(typed.err()).isEqualTo("No live runs; nothing to stop\n");
      }
      other.run("one", BUSY);
      other.run("two", BUSY);
      assertThat(other.cli().type("stop", "--all").out())
          .contains("one: stopped")
          .contains("two: stopped");
    }
  }

  @Test
  void next_names_the_run_that_asks_and_answer_lets_it_continue() throws JsonException {
    hub.run("asking", "? May I go on\n$ true");
    Awaitility.await()
        .atMost(RealHub.TIMEOUT)
        .until(() -> done("next", "--quiet").equals("asking\n"));
    assertThat(done("next"))
        .contains("asking")
        .contains("permission request")
        .contains("midcourse answer asking");
    assertThat(array("next", "--json"))
        .first()
        .satisfies(item -> {
          assertThat(item.text("kind")).hasValue("run");
          assertThat(item.object("run").text("needs").orElse("")).startsWith("asks");
          assertThat(item.texts("commands")).contains("midcourse answer asking allow");
        });
    assertThat(done("show", "asking")).contains("May I go on");
    done("answer", "asking", "allow");
    refused(
        ExitCode.NOT_FOUND,
        "is not waiting for an answer",
        "midcourse next",
        "answer",
        "busy",
        "allow");
  }

  @Test
  void the_hub_is_described() throws JsonException {
    assertThat(array("agents", "--json"))
        .anySatisfy(agent -> {
          assertThat(agent.text("name")).hasValue("rehearsal");
          assertThat(agent.is("found")).isTrue();
        });
    assertThat(done("agents").lines().toList().getFirst())
        .containsSubsequence("AGENT", "VERSION", "STEER", "INTERRUPT", "RESUME", "COST")
        .doesNotContain("INSTALL");
    assertThat(done("agents"))
        .containsPattern("(?m)^rehearsal +\\S+ +✓ +✓ +✓ +✓$")
        .doesNotContain("not installed");
    assertThat(done("agents", "--all").lines().toList().getFirst()).contains("INSTALL");
    assertThat(done("agents", "--verbose"))
        .contains("rehearsal")
        .contains("capabilities  steer during a turn, ");
    assertThat(array("workers", "--json"))
        .anySatisfy(worker ->
            assertThat(worker.fields()).containsKeys("name", "at_once", "running", "queued"));
    assertThat(done("workers")).contains("busy");
    assertThat(object("status", "--json").fields())
        .containsKeys("status", "version", "pid", "data", "url", "runs", "latency");
    assertThat(done("status")).contains("pid").contains("http://127.0.0.1:");
    assertThat(hub.cli().type("doctor").out()).contains("java").contains("data directory");
    assertThat(object("prune", "--older-than", "30d", "--json").number("pruned")).hasValue(0L);
    assertThat(done("prune", "--older-than", "30d")).isEqualTo("Deleted 0 runs\n");
  }

  @Test
  void an_unknown_run_or_steer_is_refused_with_a_hint() {
    for (String command : List.of("show", "logs", "stop", "restart", "steers")) {
      refused(ExitCode.NOT_FOUND, "run nobody not found", "midcourse ps --all", command, "nobody");
    }
    refused(ExitCode.NOT_FOUND, "run nobody not found", "midcourse ps", "steer", "nobody", "text");
    for (String command : List.of("receipt", "withdraw", "promote")) {
      refused(
          ExitCode.NOT_FOUND, "steer 00000000 not found", "midcourse steers", command, "00000000");
    }
  }

  /** Would fail when a refusal whose message contains its rule had no second line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ps --state lost            | REFUSED   | state must be one of | midcourse help ps",
        "ps --worker a/b            | REFUSED   | worker must be | midcourse help ps",
        "run --id ../x hello        | REFUSED   | run_id must be | midcourse help run",
        "run --worker a/b hello     | REFUSED   | worker must be | midcourse help run",
        "run --agent nobody hello   | REFUSED   | agent nobody not found | one of: ",
        "run --dir /no/where hello  | REFUSED   | not a directory | a directory on the hub's machine",
        "show ../x                  | NOT_FOUND | run '../x' not found | midcourse ps --all",
        "receipt ../x               | NOT_FOUND | steer '../x' not found | midcourse steers RUN",
        "steer busy hi --key=       | REFUSED   | key must be | midcourse help steer",
        "steer busy hi --ttl soon   | REFUSED   | ttl must be | a number and one of",
        "steer busy hi --expect-turn 99 | REFUSED | expected turn 99 | midcourse show busy",
        "restart busy               | REFUSED   | is running | midcourse show busy",
        "review busy --accept       | REFUSED   | does not wait for review | midcourse ps --state"
            + " review_requested",
        "dismiss busy               | REFUSED   | nothing to dismiss | midcourse next",
        "answer busy allow          | NOT_FOUND | is not waiting for an answer | midcourse next",
        "mcp --as nobody            | NOT_FOUND | group nobody not found | midcourse groups"
      })
  void every_refusal_says_what_and_what_to_do(
      String line, ExitCode code, String what, String remedy) {
    refused(code, what, remedy, line.split(" ", -1));
  }

  @Test
  void a_beginning_that_several_runs_share_is_refused_and_nothing_is_stopped()
      throws JsonException {
    hub.run("same-1", BUSY);
    hub.run("same-2", BUSY);
    for (String command : List.of("stop", "show", "logs", "steers", "attach", "review")) {
      CliRunner.Typed typed = ended(ExitCode.REFUSED, command, "same");
      assertThat(typed.out()).isEmpty();
      assertThat(typed.err())
          .isEqualTo(
              """
              midcourse: several runs start with same: same-2, same-1
                expected the full id, or a longer start of it
              """);
    }
    assertThat(ended(ExitCode.REFUSED, "steer", "-", "which?").err())
        .startsWith("midcourse: several runs are live: ")
        .contains("same-1")
        .endsWith("\n  expected the full id, or a longer start of it\n");
    assertThat(object("show", "same-1", "--json").text("state")).hasValue("running");
    assertThat(object("show", "same-2", "--json").text("state")).hasValue("running");
    done("stop", "same-1", "same-2");
  }

  @Test
  void without_a_hub_every_command_says_how_to_get_one(@TempDir Path nowhere) {
    for (List<String> words :
        List.of(
            List.of("ps"),
            List.of("show", "x"),
            List.of("steer", "x", "text"),
            List.of("stop", "x"),
            List.of("next"),
            List.of("agents"),
            List.of("status"))) {
      CliRunner.Typed typed = CliRunner.in(nowhere).type(words.toArray(String[]::new));
      assertThat(typed.code()).as(words + "\n" + typed.all()).isEqualTo(ExitCode.NO_HUB);
      assertThat(typed.err().lines()).hasSize(2);
      assertThat(typed.err()).contains("no hub is running").contains("midcourse serve");
    }
  }
}
