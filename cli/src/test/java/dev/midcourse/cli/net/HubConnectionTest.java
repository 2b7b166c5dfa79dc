package dev.midcourse.cli.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HubConnectionTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir Path folder;
  private Path socket = Path.of("");

  @BeforeEach
  void name_the_socket() {
    socket = folder.resolve("s");
  }

  private String ask(String said) throws IOException {
    try (FakeServer server = FakeServer.saying(socket, said);
        HttpResponse answer =
            HubConnection.unix(socket, Optional::empty).ask(HttpRequest.get("/x"), TIMEOUT)) {
      return answer.status() + " " + answer.text();
    }
  }

  @Test
  void a_body_ends_where_its_length_says() throws IOException {
    assertThat(ask("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello and more"))
        .isEqualTo("200 hello");
  }

  @Test
  void a_body_without_a_length_ends_with_the_connection() throws IOException {
    assertThat(ask("HTTP/1.1 200 OK\r\n\r\nhello")).isEqualTo("200 hello");
  }

  @Test
  void chunks_are_put_together_and_trailers_passed_over() throws IOException {
    assertThat(
            ask(
                """
                HTTP/1.1 201 Created\r
                Transfer-Encoding: Chunked\r
                \r
                5\r
                hello\r
                1;name=value\r
                -\r
                A\r
                0123456789\r
                0\r
                X: y\r
                \r
                """))
        .isEqualTo("201 hello-0123456789");
  }

  @Test
  void an_answer_without_a_body_has_an_empty_one() throws IOException {
    assertThat(ask("HTTP/1.1 204 No Content\r\n\r\n")).isEqualTo("204 ");
  }

  @Test
  void a_response_after_100_continue_is_read_to_its_end() throws IOException {
    assertThat(ask("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        .isEqualTo("200 ok");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le",
        ""
      })
  void an_answer_that_breaks_off_is_never_taken_for_a_whole_one(String said) {
    assertThatThrownBy(() -> ask(said)).isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n"
      })
  void a_response_that_is_not_http_is_refused(String said) {
    assertThatThrownBy(() -> ask(said)).isInstanceOf(IOException.class);
  }

  @Test
  void a_head_without_end_does_not_fill_the_memory() {
    assertThatThrownBy(() -> ask("HTTP/1.1 200 OK\r\nX: " + "a".repeat(1 << 20)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer");
  }

  @Test
  void a_missing_hub_is_distinguished_from_a_failed_connection() {
    assertThatThrownBy(
            () -> HubConnection.unix(socket, Optional::empty).ask(HttpRequest.get("/"), TIMEOUT))
        .isInstanceOf(HubUnreachableException.class);
  }

  @Test
  void a_server_that_takes_the_request_and_is_silent_is_given_up() throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    try (FakeServer server = new FakeServer(socket, client -> over.await())) {
      assertThatThrownBy(() ->
              HubConnection.unix(socket, Optional::empty)
                  .ask(HttpRequest.get("/"), Duration.ofMillis(50)))
          .isInstanceOf(HubTimeoutException.class);
    } finally {
      over.countDown();
    }
  }

  @Test
  void the_request_carries_its_json_and_its_length_in_bytes() throws IOException {
    try (FakeServer server = FakeServer.saying(socket, FakeServer.answer(200, "{}"))) {
      HubConnection.unix(socket, Optional::empty)
          .ask(HttpRequest.send("POST", "/a?b=c", "{\"ü\":1}"), TIMEOUT)
          .close();

      assertThat(server.requests().getFirst())
          .startsWith("POST /a?b=c HTTP/1.1\r\n")
          .contains("\r\nHost: localhost\r\n", "\r\nContent-Type: application/json\r\n")
          .contains("\r\nContent-Length: 8\r\n")
          .endsWith("\r\n\r\n{\"ü\":1}");
    }
  }

  @Test
  void nothing_in_a_piece_of_a_path_is_taken_for_syntax() {
    assertThat(HttpRequest.encoded("a-b._~/../?x=1&y#ü\r\n"))
        .isEqualTo("a-b._~%2F..%2F%3Fx%3D1%26y%23%C3%BC%0D%0A");
  }

  @Test
  void events_come_one_by_one_whatever_their_line_ends() throws IOException {
    String events =
        """
        : hello

        id: 1
        event: said
        data: one

        id:2\r
        event:steer_raised\r
        data:{"a":\r
        data: 1}\r
        \r
        data: three\r\r: beat

        retry: 5

        data: grün 👩‍💻
        unknown: x

        id: 9
        data: lost\
        """;
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    try (FakeServer server = FakeServer.saying(socket, head + events);
        EventStream stream =
            HubConnection.unix(socket, Optional::empty)
                .listen(HttpRequest.get("/e"), Optional.of("41"))) {
      assertThat(stream.next()).contains(new EventStream.Event("1", "said", "one"));
      assertThat(stream.next()).contains(new EventStream.Event("2", "steer_raised", "{\"a\":\n1}"));
      assertThat(stream.next()).contains(new EventStream.Event("2", "message", "three"));
      assertThat(stream.next()).contains(new EventStream.Event("2", "message", "grün 👩‍💻"));
      assertThat(stream.next()).isEmpty();
      assertThat(server.requests().getFirst()).contains("\r\nLast-Event-ID: 41\r\n");
    }
  }

  @Test
  void an_event_that_comes_in_chunks_of_a_byte_is_one_event() throws IOException {
    StringBuilder said = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (char c : "id: 7\ndata: hello\n\n".toCharArray()) {
      said.append("1\r\n").append(c).append("\r\n");
    }
    try (FakeServer server = FakeServer.saying(socket, said + "0\r\n\r\n");
        EventStream stream =
            HubConnection.unix(socket, Optional::empty)
                .listen(HttpRequest.get("/e"), Optional.empty())) {
      assertThat(stream.next()).contains(new EventStream.Event("7", "message", "hello"));
      assertThat(stream.next()).isEmpty();
    }
  }
}
