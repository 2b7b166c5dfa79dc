package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.net.FakeServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of commands for responses that a correct hub sends rarely or never. */
class OddAnswersTest {
  private static final String RECEIPT =
      """
      {"steer_id":"3f2a91c0-0000-4000-8000-000000000000","run_id":"r1","mode":"steer","text":"x",
       "rung":"injected","rungs":[{"rung":"stored","at":"2026-01-01T00:00:00Z","after_ms":0,"evidence":"kept"},
       {"rung":"injected","at":"2026-01-01T00:00:01.4Z","after_ms":1500,
       "evidence":"shown"}]}
      """;

  @TempDir Path data;

  private CliRunner.Typed ask(String answer, String... words) throws IOException {
    try (FakeServer server = FakeServer.saying(data.resolve("hub.sock"), answer)) {
      return CliRunner.in(data).type(words);
    }
  }

  private static String problem(String code, String field, String detail) {
    return """
    {"type":"about:blank","title":"no","status":400,"code":"%s","field":"%s","rule":"the rule",
     "detail":"%s"}
    """
        .formatted(code, field, detail);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(422, "invalid", "text", ExitCode.REFUSED, "text: the rule"),
        Arguments.of(413, "too_large", "text", ExitCode.REFUSED, "text: the rule"),
        Arguments.of(404, "not_found", "run_id", ExitCode.NOT_FOUND, "midcourse ps --all"),
        Arguments.of(404, "not_found", "steer_id", ExitCode.NOT_FOUND, "midcourse steers -"),
        Arguments.of(404, "not_found", "worker", ExitCode.NOT_FOUND, "midcourse workers"),
        Arguments.of(404, "not_found", "ask", ExitCode.NOT_FOUND, "midcourse show r1"),
        Arguments.of(403, "forbidden", "run_id", ExitCode.REFUSED, "midcourse groups"),
        Arguments.of(409, "key_conflict", "key", ExitCode.REFUSED, "another --key"),
        Arguments.of(409, "wrong_turn", "expected_turn", ExitCode.REFUSED, "midcourse show r1"),
        Arguments.of(409, "duplicate", "run_id", ExitCode.REFUSED, "midcourse show r1"),
        Arguments.of(410, "run_ended", "run_id", ExitCode.REFUSED, "midcourse show r1"),
        Arguments.of(409, "too_late", "steer_id", ExitCode.REFUSED, "midcourse receipt STEER"),
        Arguments.of(422, "unsupported", "mode", ExitCode.REFUSED, "--on-unsupported degrade"),
        Arguments.of(429, "limit", "steers", ExitCode.REFUSED, "wait until some"),
        Arguments.of(503, "unavailable", "store", ExitCode.REFUSED, "try again"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void a_refusal_is_printed_in_two_lines_with_an_exit_code(
      int status, String code, String field, ExitCode exit, String remedy) throws IOException {
    CliRunner.Typed typed =
        ask(FakeServer.answer(status, problem(code, field, "it is so")), "steer", "r1", "x");

    assertThat(typed.code()).isEqualTo(exit);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err()).startsWith("midcourse: it is so\n").contains(remedy).hasLineCount(2);
  }

  @Test
  void the_hint_of_a_steer_names_the_steer_that_was_typed() throws IOException {
    CliRunner.Typed typed =
        ask(
            FakeServer.answer(409, problem("too_late", "steer_id", "it is so")),
            "withdraw",
            "3f2a");

    assertThat(typed.err()).endsWith("\n  show its receipt: midcourse receipt 3f2a\n");
  }

  @Test
  void a_new_run_whose_id_is_taken_gets_the_hint_to_choose_another() throws IOException {
    CliRunner.Typed typed =
        ask(FakeServer.answer(409, problem("duplicate", "run_id", "it is so")), "run", "-d", "x");

    assertThat(typed.err()).contains("choose another --id");
  }

  /** Seen to fail when every unsupported request gets the hint of a steer. */
  @Test
  void a_run_on_an_agent_that_does_not_work_gets_the_hint_to_check_the_agents() throws IOException {
    CliRunner.Typed typed =
        ask(FakeServer.answer(422, problem("unsupported", "agent", "it is so")), "run", "-d", "x");

    assertThat(typed.err()).endsWith("midcourse doctor\n").doesNotContain("--on-unsupported");
  }

  /** Seen to fail when the message of a failure is printed as it is. */
  @Test
  void an_argument_and_a_path_cannot_reach_the_terminal_as_commands() {
    String evil = "\u001b]0;gotcha\u0007\u202e.json";
    for (List<String> words :
        List.of(
            List.of("contract", "check", evil),
            List.of("dispatch", evil),
            List.of("run", "--file", evil),
            List.of("--" + evil),
            List.of("show", evil, evil),
            List.of(evil))) {
      CliRunner.Typed typed = CliRunner.in(data).type(words.toArray(new String[0]));

      assertThat(typed.err())
          .as("%s", words)
          .isNotBlank()
          .doesNotContain("\u001b", "\u0007", "\u202e");
    }
  }

  @Test
  void text_of_a_hub_cannot_reach_the_terminal_as_commands() throws IOException {
    String evil = problem("invalid", "text\\u001b[2J", "\\u001b]0;gotcha\\u0007 \\u202e");

    CliRunner.Typed typed = ask(FakeServer.answer(422, evil), "show", "r1");

    assertThat(typed.err())
        .doesNotContain("\u001b", "\u0007", "\u202e")
        .contains("⟨U+001B⟩]0;gotcha");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops",
        "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n[1,2,3] ",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{x}"
      })
  void an_answer_that_makes_no_sense_is_a_failure_and_no_stack_trace(String answer)
      throws IOException {
    CliRunner.Typed typed = ask(answer, "ps");

    assertThat(typed.code()).isEqualTo(ExitCode.FAILED);
    assertThat(typed.err()).startsWith("midcourse: ").doesNotContain("\tat ");
  }

  @Test
  void verbose_shows_where_it_went_wrong() throws IOException {
    CliRunner.Typed typed =
        ask("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{x}", "ps", "--verbose");

    assertThat(typed.err()).contains("\tat ");
  }

  @Test
  void a_hub_that_hangs_up_is_no_hub() throws IOException {
    CliRunner.Typed typed = ask("", "ps");

    assertThat(typed.code()).isEqualTo(ExitCode.NO_HUB);
    assertThat(typed.err()).contains("lost the connection to the hub").contains("hub.log");
  }

  @Test
  void a_steer_whose_answer_got_lost_is_sent_again_with_the_same_key() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    try (FakeServer server =
        new FakeServer(
            data.resolve("hub.sock"),
            client -> {
              if (calls.incrementAndGet() > 2) {
                FakeServer.say(client, FakeServer.answer(200, RECEIPT));
              }
            })) {
      CliRunner.Typed typed = CliRunner.in(data).type("steer", "r1", "x");

      assertThat(typed.code()).as(typed.all()).isEqualTo(ExitCode.DONE);
      assertThat(server.requests()).hasSize(3);
      assertThat(server.requests().stream().map(r -> r.substring(r.indexOf("\r\n\r\n"))).distinct())
          .hasSize(1)
          .allMatch(body -> body.matches("(?s).*\"key\":\"cli-[0-9a-f]{24}\".*"));
    }
  }

  /** Seen to fail when the command line computes the times from those of the rungs. */
  @Test
  void a_receipt_is_printed_rung_by_rung_with_the_time_each_took() throws IOException {
    CliRunner.Typed typed = ask(FakeServer.answer(201, RECEIPT), "steer", "r1", "x");

    assertThat(typed.out())
        .isEqualTo(
            """
            steer 3f2a91c0 to r1
              stored     0 ms     kept
              injected   1.50 s   shown
            """);
  }

  @Test
  void the_text_of_a_steer_may_come_from_standard_input() throws IOException {
    try (FakeServer server =
        FakeServer.saying(data.resolve("hub.sock"), FakeServer.answer(201, RECEIPT))) {
      CliRunner.in(data).saying("grüne\nZeilen\n").type("steer", "r1", "-");

      assertThat(server.requests().getFirst()).contains("\"text\":\"grüne\\nZeilen\"");
    }
  }

  @Test
  void ids_are_encoded_into_the_path() throws IOException {
    try (FakeServer server =
        FakeServer.saying(data.resolve("hub.sock"), FakeServer.answer(404, "{}"))) {
      CliRunner.in(data).type("show", "health?x=#");

      assertThat(server.requests().getFirst())
          .startsWith("GET /api/v1/runs/health%3Fx%3D%23 HTTP/1.1\r\n");
    }
  }

  @Test
  void the_token_is_sent_where_the_system_does_not_identify_the_peer() throws IOException {
    java.nio.file.Files.writeString(data.resolve("token"), "secret\n");
    try (FakeServer server =
        FakeServer.saying(data.resolve("hub.sock"), FakeServer.answer(200, "{}"))) {
      CliRunner.in(data).type("status");

      assertThat(server.requests().getFirst()).contains("\r\nAuthorization: Bearer secret\r\n");
    }
  }

  @Test
  void ten_thousand_runs_are_listed_page_by_page_within_little_memory() throws IOException {
    AtomicInteger page = new AtomicInteger();
    try (FakeServer server =
        new FakeServer(
            data.resolve("hub.sock"),
            client ->
                FakeServer.say(client, FakeServer.answer(200, page(page.getAndIncrement()))))) {
      CliRunner.Typed typed = CliRunner.in(data).watching(80).type("ps", "--all");

      assertThat(typed.out().lines()).hasSize(10_001);
      assertThat(typed.out().lines().skip(1).map(line -> line.split(" ", 2)[0]).distinct())
          .hasSize(10_000);
      assertThat(server.requests()).hasSize(20);
      assertThat(server.requests().get(1))
          .startsWith("GET /api/v1/runs?limit=500&older_than=run-500");

      page.set(0);
      assertThat(CliRunner.in(data).type("ps", "--all", "--limit", "700", "-q").out().lines())
          .hasSize(700);
    }
  }

  private static String page(int number) {
    StringBuilder runs = new StringBuilder("{\"runs\":[");
    for (int i = 1; i <= 500; i++) {
      runs.append(i == 1 ? "" : ",")
          .append("{\"run_id\":\"run-")
          .append(number * 500 + i)
          .append("\",\"state\":\"done\",\"agent\":\"rehearsal\",\"worker\":\"any\",")
          .append("\"result\":\"did what was asked\",\"ended_at\":\"2026-01-01T00:00:00Z\"}");
    }
    int last = number * 500 + 500;
    return runs + "],\"next\":" + (last < 10_000 ? "\"run-" + last + "\"" : "null") + "}";
  }
}
