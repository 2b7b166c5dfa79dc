package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.ANN;
import static dev.midcourse.channels.slack.FakeSlack.APP_TOKEN;
import static dev.midcourse.channels.slack.FakeSlack.BOT;
import static dev.midcourse.channels.slack.FakeSlack.BOT_TOKEN;
import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static dev.midcourse.channels.slack.SlackHarness.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.response.chat.ChatPostMessageResponse;
import com.slack.api.socket_mode.SocketModeClient;
import com.slack.api.socket_mode.response.AckResponse;
import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fake is like Slack: clients that Slack itself has written work with it. */
class SlackClientsTest {
  private FakeSlack slack;

  @BeforeEach
  void open() throws Exception {
    slack = new FakeSlack(SlackHarness.NOW.getEpochSecond());
  }

  @AfterEach
  void close() {
    slack.close();
  }

  @Test
  void the_java_client_receives_acknowledges_and_changes_its_socket() throws Exception {
    SlackConfig config = new SlackConfig();
    config.setMethodsEndpointUrlPrefix(slack.api().toString());
    List<String> payloads = new CopyOnWriteArrayList<>();
    try (Slack client = Slack.getInstance(config);
        SocketModeClient sockets =
            client.socketMode(APP_TOKEN, SocketModeClient.Backend.JavaWebSocket)) {
      sockets.addEventsApiEnvelopeListener(envelope -> {
        payloads.add(String.valueOf(envelope.getPayload()));
        sockets.sendSocketModeResponse(new AckResponse(envelope.getEnvelopeId()));
      });
      sockets.connect();
      await(() -> slack.sockets.count() == 1);
      slack.say(CHANNEL, ANN, "<@" + BOT + "> hello");
      await(() -> payloads.size() == 2 && slack.sockets.unacknowledged() == 0);
      slack.sockets.disconnect("refresh_requested");
      await(() -> slack.sockets.sockets().contains("open ticket-2"));

      MethodsClient methods = client.methods(BOT_TOKEN);
      ChatPostMessageResponse posted =
          methods.chatPostMessage(it -> it.channel(CHANNEL).text("Hello"));
      assertThat(posted.isOk()).isTrue();
      assertThat(methods.conversationsHistory(it -> it.channel(CHANNEL)).getMessages()).hasSize(2);
      assertThat(
              methods
                  .reactionsAdd(it -> it.channel(CHANNEL).timestamp(posted.getTs()).name("eyes"))
                  .isOk())
          .isTrue();
      assertThat(methods.chatPostMessage(it -> it.channel("C0NO").text("x")).getError())
          .isEqualTo("channel_not_found");
    }
    assertThat(payloads.getFirst()).contains("event_callback");
  }

  /** Seen to fail when an envelope of the fake has no type. */
  @Tag("setup")
  @Test
  void the_node_client_for_sockets_receives_and_acknowledges() throws Exception {
    Process node =
        node(ClientPrograms.script("slack", "receive.mjs"), slack.api().toString(), APP_TOKEN, "4");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(node.getInputStream(), UTF_8))) {
      assertThat(lines.readLine()).contains("connected");
      slack.say(CHANNEL, ANN, "<@" + BOT + "> hello");
      slack.sockets.send(
          "interactive", slack.click(CHANNEL, "1.1", ANN, JsonValue.object().with("value", "abc")));
      slack.sockets.send(
          "slash_commands", JsonValue.object().with("command", "/midcourse").with("text", "help"));
      List<JsonValue.Obj> seen = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        seen.add(JsonReader.readObject(String.valueOf(lines.readLine())));
      }
      assertThat(seen)
          .extracting(it -> it.string("type").orElse(""))
          .containsExactly("events_api", "events_api", "interactive", "slash_commands");
      assertThat(seen.getFirst().object("body").object("event").string("text").orElseThrow())
          .endsWith("hello");
      assertThat(seen.getFirst().number("retry_num")).contains(0L);
      await(() -> slack.sockets.unacknowledged() == 0);
    } finally {
      end(node);
    }
  }

  @Tag("setup")
  @Test
  void the_node_client_for_the_web_api_gets_what_it_expects() throws Exception {
    Process node =
        node(
            ClientPrograms.script("slack", "call.mjs"), slack.api().toString(), BOT_TOKEN, CHANNEL);
    try (Stream<String> lines =
        new BufferedReader(new InputStreamReader(node.getInputStream(), UTF_8)).lines()) {
      String said = lines.reduce((first, last) -> last).orElse("");
      JsonValue.Obj result = JsonReader.readObject(said);
      assertThat(result.string("user")).contains(BOT);
      assertThat(result.string("twice")).contains("already_reacted");
      assertThat(result.string("reaction")).contains("eyes");
      assertThat(result.texts("history")).contains("Hello again").doesNotContain("A reply");
      assertThat(result.texts("replies")).containsExactly("Hello again", "A reply");
      assertThat(result.is("isReply")).isTrue();
      assertThat(result.string("unknown")).contains("channel_not_found");
    } finally {
      end(node);
    }
    assertThat(slack.uploads).hasSize(1);
    assertThat(slack.message(CHANNEL, "none")).isEqualTo(JsonValue.Obj.EMPTY);
    assertThat(slack.messages(CHANNEL).getFirst().get("blocks")).isEqualTo(Optional.empty());
  }

  private static Process node(Path script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("node", script.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void end(Process node) throws InterruptedException {
    if (!node.waitFor(10, TimeUnit.SECONDS)) {
      node.destroyForcibly();
    }
  }
}
