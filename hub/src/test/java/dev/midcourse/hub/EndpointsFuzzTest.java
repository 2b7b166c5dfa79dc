package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.InRange;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithUtf8Length;
import dev.midcourse.ledger.Log;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every request gets a response that is no internal error and contains no secret, and the hub keeps
 * running. As an ordinary test it uses the stored examples; {@code JAZZER_FUZZ=1} searches for
 * others.
 */
@Tag("fuzz")
@Tag("slow")
@SuppressWarnings("NullAway.Init")
class EndpointsFuzzTest {
  private static final List<String> BODIES =
      List.of(
          "POST /api/v1/runs",
          "POST /api/v1/runs/RUN/steers",
          "POST /api/v1/runs/RUN/restart",
          "POST /api/v1/runs/RUN/review",
          "POST /api/v1/runs/RUN/asks/a",
          "POST /api/v1/steers/x/withdraw",
          "PATCH /api/v1/steers/x",
          "POST /api/v1/dispatch",
          "POST /api/v1/contract/check",
          "POST /api/v1/prune",
          "POST /mcp",
          "POST /api/v1/terminal/messages",
          "POST /api/v1/terminal/changes",
          "POST /api/v1/terminal/clicks",
          "POST /api/v1/channels/hook/messages");
  private static final List<String> PLACES =
      List.of(
          "/api/v1/runs?state=%s",
          "/api/v1/runs?older_than=%s&limit=%s",
          "/api/v1/runs/%s",
          "/api/v1/runs/RUN?wait=%s&timeout=0s",
          "/api/v1/runs/RUN/log?stream=%s&attempt=%s",
          "/api/v1/runs/RUN/events?after=%s&limit=%s",
          "/api/v1/runs/RUN/events?kind=%s",
          "/api/v1/events?after=x%s&kind=%s",
          "/api/v1/steers/%s?wait=%s&timeout=0s",
          "/%s");

  private static final Pattern FIRST_ID = Pattern.compile("^id: (\\d+)$", Pattern.MULTILINE);

  @TempDir static Path root;
  private static TestEnvironment environment;
  private static HubFixture fixture;
  private static String run;

  @BeforeAll
  static void open() throws IOException {
    environment = TestEnvironment.in(root);
    fixture = HubFixture.open(environment.data());
    run = fixture.busyRun();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @MethodSource("bodies")
  @FuzzTest(maxDuration = "3m")
  void a_body(
      @InRange(min = 0, max = 14) int endpoint, @NotNull @WithUtf8Length(max = 4000) String body) {
    String[] words = BODIES.get(endpoint).replace("RUN", run).split(" ", 2);
    assertAnswered(fixture.socket().ask(words[0], words[1], body));
  }

  @MethodSource("texts")
  @FuzzTest(maxDuration = "3m")
  void a_path_or_a_parameter(
      @InRange(min = 0, max = 9) int place, @NotNull @WithUtf8Length(max = 500) String text) {
    String escaped = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    String path = PLACES.get(place).replace("RUN", run).replace("%s", escaped);
    assertAnswered(fixture.socket().get(path));
  }

  @MethodSource("texts")
  @FuzzTest(maxDuration = "3m")
  void raw_bytes(@InRange(min = 0, max = 9) int ignored, @NotNull String text) {
    String said = text.replace("/shutdown", "");
    assertAnswered(fixture.stranger().say(said + "\r\n\r\n"));
  }

  /**
   * Seen to fail when a cursor past the newest event is accepted, and when a client misses an
   * event.
   */
  @MethodSource("streams")
  @FuzzTest(maxDuration = "3m")
  void a_stream(
      @InRange(min = -3, max = 30) long after,
      @NotNull @WithUtf8Length(max = 100) String kind,
      @NotNull @WithUtf8Length(max = 60) String lastEventId) {
    RawClient client = fixture.socket();
    String header = lastEventId.replaceAll("[\r\n]", "");
    RawClient listener = header.isEmpty() ? client : client.with("Last-Event-ID", header);
    String path = "/api/v1/events?after=" + after;
    String filter = "&kind=" + URLEncoder.encode(kind, StandardCharsets.UTF_8);
    Log log = fixture.hub().engine().ledger().log();
    long newest = log.newest();
    Optional<Long> from = header.isEmpty() ? Optional.of(after) : number(header);
    boolean sound = from.filter(it -> it >= 0 && it <= newest).isPresent();
    boolean hears = sound && kind.isEmpty() && from.orElseThrow() < newest;
    String enough = hears ? "\ndata: " : "retry: 1000";
    String said = listener.begin(kind.isEmpty() ? path : path + filter, it -> it.contains(enough));

    int status = Integer.parseInt(said.split(" ", 3)[1]);
    assertThat(status).as(said).isIn(200, 400, 422);
    assertThat(status == 200).as(said).isIn(sound, sound && header.isEmpty() && kind.isEmpty());
    if (status == 200 && hears) {
      Matcher first = FIRST_ID.matcher(said);
      assertThat(first.find()).as(said).isTrue();
      Log.Page next = log.after(from.orElseThrow(), Log.Filter.ALL, 1);
      assertThat(Long.parseLong(first.group(1))).isEqualTo(next.entries().getFirst().cursor());
    }
    assertGoesOn(said);
  }

  private static Optional<Long> number(String text) {
    try {
      return Optional.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  private static void assertAnswered(RawClient.Reply reply) {
    assertThat(reply.status()).as(reply.body()).isNotEqualTo(500);
    assertGoesOn(reply.body());
  }

  /** Seen to fail when an id may hold slashes. */
  private static void assertGoesOn(String said) {
    assertThat(said).doesNotContain(fixture.token());
    environment.assertUntouched();
    assertThat(fixture.hub().engine().attended()).extracting(Object::toString).contains(run);
  }

  static Stream<Arguments> bodies() {
    List<String> examples =
        List.of(
            "{\"prompt\":\"$ true\",\"dir\":\"../..\"}",
            "{\"text\":\"x\",\"mode\":\"steer\",\"ttl\":\"-1s\",\"expected_turn\":1e9}",
            "{\"run_id\":\"../x\",\"prompt\":7}",
            "{\"run_id\":\"../../x\",\"prompt\":\"$ true\"}",
            "{\"older_than\":\"999999999999999999d\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":{\"name\":[]}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"ping\"}",
            "{\"run_id\":\"a\",\"more\":1e999}",
            "[".repeat(3_000),
            "{\"text\":\"\\ud800\"}",
            "{\"text\":\"x\",\"as\":\"a b\",\"in\":\"../x\",\"message\":\"\\u0000\",\"button\":7}",
            "null");
    return BODIES.stream()
        .flatMap(
            endpoint -> examples.stream().map(it -> Arguments.of(BODIES.indexOf(endpoint), it)));
  }

  static Stream<Arguments> streams() {
    return Stream.of(
        Arguments.of(0L, "", ""),
        Arguments.of(1L, "", ""),
        Arguments.of(-1L, "", ""),
        Arguments.of(30L, "", ""),
        Arguments.of(0L, "turn_started", ""),
        Arguments.of(0L, "turn_started,", ""),
        Arguments.of(0L, "no such kind", ""),
        Arguments.of(-3L, "", "0"),
        Arguments.of(0L, "", " 1 "),
        Arguments.of(0L, "", "-1"),
        Arguments.of(0L, "", "9223372036854775807"),
        Arguments.of(0L, "", "9223372036854775808"),
        Arguments.of(0L, "", "1; 2"),
        Arguments.of(0L, "", "\0"),
        Arguments.of(0L, "", "\u0661"));
  }

  static Stream<Arguments> texts() {
    List<String> examples =
        List.of(
            "..",
            "-",
            "\0",
            "a/../..",
            "%2e%2e",
            "99999999999999999999",
            "*\0 / HTTP/1.1",
            "GET / HTTP/1.1");
    return PLACES.stream()
        .flatMap(place -> examples.stream().map(it -> Arguments.of(PLACES.indexOf(place), it)));
  }
}
