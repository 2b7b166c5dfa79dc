package dev.midcourse.hub.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.authority.Caller;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.RouteTable;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.hub.http.server.Endpoint;
import dev.midcourse.hub.http.server.TimedSocket.Timeouts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With short timeouts, on a real socket: slow clients are disconnected, and no others. */
@Tag("slow")
class SlowClientTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int DEADLINE_MILLIS = 30_000;

  private final CountDownLatch busy = new CountDownLatch(1);
  private HttpListener listener;

  private static final class Everybody implements Authenticator {
    @Override
    public ConnectionAuthenticator accepted(SocketChannel channel) {
      return authorization ->
          authorization.isPresent()
              ? new Caller.Unauthenticated("not this one")
              : new Caller.Main("test");
    }
  }

  @BeforeEach
  void nothing_yet() {
    listener = open(new Timeouts(LONG, LONG, LONG, LONG, SHORT, 1024));
  }

  @AfterEach
  void close() {
    busy.countDown();
    listener.close();
  }

  private HttpListener open(Timeouts timeouts) {
    HttpListener opened =
        HttpListener.bind(
            new Endpoint(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of("localhost"),
                2),
            timeouts);
    RouteTable routes =
        new RouteTable(
            List.of(
                Route.get("/api/quick", "").by(_ -> ApiResponse.ok("done")),
                Route.post("/api/post", "").by(_ -> ApiResponse.ok("done")),
                Route.get("/api/slow", "")
                    .by(_ -> {
                      busy.await();
                      return ApiResponse.ok("at last");
                    }),
                Route.get("/api/endless", "")
                    .by(_ ->
                        new ApiResponse.Flow(
                            "text/plain",
                            OptionalLong.empty(),
                            out -> {
                              byte[] piece = new byte[64 * 1024];
                              while (true) {
                                out.write(piece);
                              }
                            }))));
    opened.open(
        new ApiRequestHandler(routes, (_, _) -> Optional.empty(), (caller, _) -> caller),
        new Everybody());
    return opened;
  }

  private void timeouts(Duration unauthenticated, Duration idle, Duration request, Duration write) {
    listener.close();
    listener = open(new Timeouts(unauthenticated, idle, request, write, SHORT, 1024));
  }

  private Socket say(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
    socket.setSoTimeout(DEADLINE_MILLIS);
    socket.getOutputStream().write(text.getBytes(UTF_8));
    return socket;
  }

  private static String request(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static boolean closed(Socket socket) throws IOException {
    try {
      InputStream in = socket.getInputStream();
      in.readAllBytes();
      return true;
    } catch (SocketTimeoutException stillOpen) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void a_client_that_never_asks_is_closed() throws Exception {
    timeouts(SHORT, LONG, LONG, LONG);
    try (Socket silent = say("")) {
      assertThat(closed(silent)).isTrue();
    }
  }

  @Test
  void a_client_that_sends_its_request_drop_by_drop_is_closed() throws Exception {
    timeouts(LONG, LONG, SHORT, LONG);
    try (Socket slow = say("POST /api/post HTTP/1.1\r\nHost: localhost\r\nContent-Le")) {
      assertThat(closed(slow)).isTrue();
    }
    try (Socket slow =
        say("POST /api/post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")) {
      assertThat(closed(slow)).isTrue();
    }
  }

  @Test
  void a_client_that_does_not_read_its_answer_is_closed() throws Exception {
    timeouts(LONG, LONG, LONG, SHORT);
    try (Socket _ = say(request("/api/endless"))) {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> listener.connections() == 1);
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> listener.connections() == 0);
    }
  }

  /** Seen to fail when a socket is taken from the list before it is closed. */
  @Test
  void a_client_that_stays_after_the_last_answer_is_closed_and_its_place_is_free()
      throws Exception {
    String last = request("/api/quick").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    try (Socket stays = say(last);
        Socket garbles = say("this is not HTTP\r\n\r\n");
        Socket next = say(request("/api/quick"))) {
      assertThat(closed(stays)).isTrue();
      assertThat(closed(garbles)).isTrue();
      byte[] start = next.getInputStream().readNBytes("HTTP/1.1 200".length());
      assertThat(new String(start, UTF_8)).isEqualTo("HTTP/1.1 200");
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> listener.connections() == 1);
    }
  }

  @Test
  void a_client_that_waits_for_a_slow_answer_is_not_closed() throws Exception {
    timeouts(SHORT, SHORT, SHORT, SHORT);
    try (Socket patient = say(request("/api/slow"))) {
      assertThat(busy.await(SHORT.toMillis() * 8, TimeUnit.MILLISECONDS)).isFalse();
      busy.countDown();
      byte[] start = patient.getInputStream().readNBytes("HTTP/1.1 200".length());
      assertThat(new String(start, UTF_8)).isEqualTo("HTTP/1.1 200");
    }
  }

  /** Seen to fail when a client without a place waits for a client that says nothing. */
  @Test
  void a_client_gets_the_place_of_the_one_that_is_longest_there_without_authenticating()
      throws Exception {
    try (Socket known = say(request("/api/quick"))) {
      assertDone(known);
      try (Socket silent = say("");
          Socket next = say(request("/api/quick"))) {
        assertServed(next);
        assertThat(closed(silent)).isTrue();
        known.getOutputStream().write(request("/api/quick").getBytes(UTF_8));
        assertDone(known);
      }
    }
  }

  /** Seen to fail when an answer of any kind counts as authentication. */
  @Test
  void a_client_that_was_refused_has_not_authenticated() throws Exception {
    String refused = request("/api/quick").replace("\r\n\r\n", "\r\nAuthorization: x\r\n\r\n");
    timeouts(SHORT, LONG, LONG, LONG);
    try (Socket stranger = say(refused);
        Socket known = say(request("/api/quick"))) {
      assertDone(known);
      assertThat(closed(stranger)).isTrue();
      known.getOutputStream().write(request("/api/quick").getBytes(UTF_8));
      assertDone(known);
    }
  }

  /** Reads the whole answer, so that the next one can follow. */
  private static void assertDone(Socket socket) throws IOException {
    assertServed(socket);
    StringBuilder rest = new StringBuilder();
    while (!rest.toString().endsWith("\"done\"")) {
      rest.append((char) socket.getInputStream().readNBytes(1)[0]);
    }
  }

  private static void assertServed(Socket socket) throws IOException {
    byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
    assertThat(new String(start, UTF_8)).isEqualTo("HTTP/1.1 200");
  }

  @Test
  void clients_wait_until_there_is_a_place_where_all_others_are_served() throws Exception {
    Socket first = say(request("/api/endless"));
    Socket second = say(request("/api/slow"));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> listener.connections() == 2);
    assertServed(first);
    try (Socket third = say(request("/api/quick"));
        second) {
      assertThat(listener.connections()).isEqualTo(2);
      first.close();
      assertServed(third);
    }
  }
}
