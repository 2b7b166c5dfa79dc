package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection that two clients share, as behind a proxy: the body of the first request is the
 * beginning of a request that stops a run, and the request of the second client, with the token,
 * would be its end.
 */
class UnreadBodyTest {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d+)");
  private static final String SMUGGLED = "POST /api/v1/runs/victim/stop HTTP/1.1\r\nX-Swallow: ";

  @TempDir Path data;
  private HubFixture fixture;

  @BeforeEach
  void open() {
    fixture = HubFixture.open(data);
    fixture.socket().post("/api/v1/runs", "{\"run_id\":\"victim\",\"prompt\":\"$ sleep 600\"}");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private String authorization() {
    return "Authorization: Bearer " + fixture.token();
  }

  private static List<Framing> framings() {
    return List.of(
        new Framing("Content-Length: " + SMUGGLED.length(), SMUGGLED),
        new Framing(
            "Transfer-Encoding: chunked",
            Integer.toHexString(SMUGGLED.length()) + "\r\n" + SMUGGLED));
  }

  /** How a body is sent. */
  private record Framing(String header, String sent) {}

  /** Sends the request with a body, then the victim's; returns everything that was answered. */
  private String answers(String first, List<String> headers, Framing framing) throws IOException {
    List<String> lines = new ArrayList<>(List.of(first + " HTTP/1.1"));
    lines.addAll(headers);
    lines.add(framing.header());
    String victim =
        lines(
            "GET /api/v1/health HTTP/1.1", "Host: localhost", authorization(), "Connection: close");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.hub().port())) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      out.write((lines(lines.toArray(String[]::new)) + framing.sent()).getBytes(UTF_8));
      StringBuilder answers = new StringBuilder();
      answers.append(new String(in.readNBytes("HTTP/1.1 xxx".length()), UTF_8));
      try {
        out.write(victim.getBytes(UTF_8));
        answers.append(new String(in.readAllBytes(), UTF_8));
      } catch (IOException closed) {
        // The hub does not read the victim's request.
      }
      return answers.toString();
    }
  }

  private static String lines(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  private static List<String> statuses(String answers) {
    return STATUS.matcher(answers).results().map(found -> found.group(1)).toList();
  }

  private void assertAnsweredOnce(String status, String first, List<String> headers)
      throws IOException {
    for (Framing framing : framings()) {
      assertAnsweredOnce(status, answers(first, headers, framing));
      List<String> expecting = new ArrayList<>(headers);
      expecting.add("Expect: 100-continue");
      assertAnsweredOnce(status, answers(first, expecting, framing));
    }
  }

  private void assertAnsweredOnce(String status, String answers) {
    assertThat(statuses(answers)).as(answers).containsExactly(status);
    assertThat(answers).containsIgnoringCase("connection: close");
    assertThat(fixture.socket().get("/api/v1/runs/victim").text("state")).isIn("queued", "running");
  }

  /** Seen to fail when the connection of a refused request with Expect stays open. */
  @ParameterizedTest
  @CsvSource({
    "401, POST /api/v1/runs",
    "401, GET /api/v1/health",
    "401, POST /mcp",
    "404, GET /nothing.html",
    "405, POST /",
    "200, GET /",
  })
  void a_body_that_is_not_read_is_never_a_request(String status, String first) throws Exception {
    assertAnsweredOnce(status, first, List.of("Host: localhost"));
  }

  @ParameterizedTest
  @CsvSource({
    "404, POST /api/v1/nothing",
    "404, POST /api/v1/runs?as=nobody",
    "405, PATCH /api/v1/runs"
  })
  void nor_is_that_of_a_caller_with_the_token(String status, String first) throws Exception {
    assertAnsweredOnce(status, first, List.of("Host: localhost", authorization()));
  }

  @Test
  void nor_is_that_of_a_page_from_elsewhere() throws Exception {
    String first = "POST /api/v1/runs";
    assertAnsweredOnce("403", first, List.of("Host: evil.example", authorization()));
    assertAnsweredOnce(
        "403", first, List.of("Host: localhost", "Origin: http://evil.example", authorization()));
    assertAnsweredOnce(
        "400", first, List.of("Host: localhost", "Origin: http://a.example", "Origin: http://b"));
  }

  @Test
  void nor_is_that_of_a_caller_that_is_too_fast() throws Exception {
    List<String> headers = List.of("Host: localhost", "Expect: 100-continue");
    for (String status = ""; !status.equals("429"); ) {
      String answers = answers("POST /api/v1/runs", headers, framings().getFirst());
      status = statuses(answers).getFirst();
      assertAnsweredOnce(status, answers);
    }
  }

  @Test
  void nor_is_one_that_is_too_large() throws Exception {
    List<String> headers = List.of("Host: localhost", authorization(), "Expect: 100-continue");
    for (Framing framing :
        List.of(
            new Framing("Content-Length: 99999999", SMUGGLED),
            new Framing("Transfer-Encoding: chunked", "7fffffff\r\n" + SMUGGLED))) {
      String answers = answers("POST /api/v1/runs", headers, framing);
      assertAnsweredOnce("413", answers.replace("HTTP/1.1 100", ""));
    }
  }

  /** Seen to fail when the hub reads a body without telling a client that waits for it. */
  @Test
  void a_client_that_waits_for_100_continue_gets_it_and_the_connection_stays_open()
      throws Exception {
    String body = "{\"run_id\":\"expected\",\"prompt\":\"$ echo\"}";
    String answers = afterContinue("Content-Length: " + body.length(), body);
    assertThat(statuses(answers)).as(answers).containsExactly("201", "200");
  }

  /** Seen to fail when the hub asks Helidon for a body in chunks. */
  @Test
  void a_body_in_chunks_may_have_extensions_and_trailers() throws Exception {
    String body = "{\"run_id\":\"chunks\",\"prompt\":\"$ echo\"}";
    String chunks =
        "1;a=b\r\n{\r\n%x ; c=\"d\"\r\n%s\r\n0\r\nTrailer: x\r\n\r\n"
            .formatted(body.length() - 1, body.substring(1));
    String answers = afterContinue("Transfer-Encoding: chunked", chunks);
    assertThat(statuses(answers)).as(answers).first().isEqualTo("201");
  }

  private String afterContinue(String framing, String body) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.hub().port())) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      out.write(
          lines(
                  "POST /api/v1/runs HTTP/1.1",
                  "Host: localhost",
                  authorization(),
                  "Content-Type: application/json",
                  "Expect: 100-continue",
                  framing)
              .getBytes(UTF_8));
      assertThat(new String(in.readNBytes("HTTP/1.1 100".length()), UTF_8)).endsWith("100");
      String next =
          lines(
              "GET /api/v1/health HTTP/1.1",
              "Host: localhost",
              authorization(),
              "Connection: close");
      out.write((body + next).getBytes(UTF_8));
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Seen to fail with status 500, a stack trace in the log and a reader without a bound. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\r\n",
        "-1\r\n",
        "0x5\r\n",
        "\r\n",
        ";a=b\r\n",
        "5\n{}\n",
        "1\r\n{}\r\n0\r\n\r\n",
        "123456789\r\n",
        "2\r\n{}0\r\n\r\n"
      })
  void a_body_whose_chunks_are_malformed_is_refused_without_a_line_in_the_log(String chunks)
      throws Exception {
    try (LogMessages ours = LogMessages.of("dev.midcourse.hub.http");
        LogMessages helidons = LogMessages.of("io.helidon")) {
      List<String> headers =
          List.of("Host: localhost", authorization(), "Content-Type: application/json");
      String answers =
          answers("POST /api/v1/runs", headers, new Framing("Transfer-Encoding: chunked", chunks));
      assertAnsweredOnce("400", answers);
      assertThat(answers).contains("\"code\":\"bad_request\"");
      assertThat(ours.all()).isEmpty();
      assertThat(helidons.all()).isEmpty();
    }
  }

  @Test
  void a_line_of_chunks_that_does_not_end_is_refused_when_it_is_too_long() throws Exception {
    List<String> headers = List.of("Host: localhost", authorization());
    for (String chunks : List.of("1;" + "x".repeat(9_000), "0\r\n" + "X: y\r\n".repeat(9_000))) {
      Framing framing = new Framing("Transfer-Encoding: chunked", chunks);
      assertAnsweredOnce("400", answers("POST /api/v1/runs", headers, framing));
    }
  }
}
