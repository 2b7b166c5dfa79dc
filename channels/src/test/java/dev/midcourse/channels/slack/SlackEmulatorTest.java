package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.SlackHarness.id;
import static dev.midcourse.channels.slack.SlackHarness.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.slack.api.SlackAccount;
import dev.midcourse.channels.slack.api.SlackAnswer;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.channels.slack.receive.SlackSocketSession;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our requests against an emulator of the web API that other people wrote: npm emulate. */
@Tag("setup")
class SlackEmulatorTest {
  @TempDir Path folder;

  @Test
  void messages_cards_edits_reactions_and_files_are_as_the_emulator_expects_them()
      throws Exception {
    Path script = ClientPrograms.script("slack", "node_modules/emulate/dist/index.js");
    int port = freePort();
    Process emulator = start(script, port);
    try (SlackHarness harness = new SlackHarness()) {
      SlackSettings base = harness.settings(SlackSettings.Mode.SOCKET);
      SlackSettings settings =
          new SlackSettings(
              base.name(),
              new ChannelSecret("xoxb-of-the-emulator"),
              base.appToken(),
              base.signingSecret(),
              base.mode(),
              URI.create("http://127.0.0.1:" + port + "/api/"));
      SlackHarness.await(() -> isOpen(port));
      try (PlatformClient http = new PlatformClient(settings.secrets());
          SlackChannel channel =
              new SlackChannel(settings, harness.context(), SlackSocketSession.MAX_SILENCE)) {
        use(channel, new SlackClient(http, settings));
      }
    } finally {
      emulator.destroy();
      if (!emulator.waitFor(10, TimeUnit.SECONDS)) {
        emulator.destroyForcibly();
      }
    }
  }

  private void use(SlackChannel channel, SlackClient client) throws Exception {
    assertThat(SlackAccount.ask(client).team()).isEqualTo("T000000001");
    String chat =
        body(client.call("conversations.list", Map.of()))
            .objects("channels")
            .getFirst()
            .string("id")
            .orElseThrow();
    String text = ts(channel, new ChannelRequest.SendText(to(chat), "**One** & <two>", none()));
    String reply = ts(channel, new ChannelRequest.SendText(to(chat, text), "In a thread", none()));
    String card =
        ts(
            channel,
            new ChannelRequest.SendCard(
                to(chat), "May it?", "Deploy?", List.of(new Button("abc", "Yes"))));
    assertThat(message(client, chat, card).objects("blocks")).hasSize(3);
    ts(channel, new ChannelRequest.CloseCard(to(chat), card, "Approved."));
    assertThat(message(client, chat, card).objects("blocks")).hasSize(1);
    ts(channel, new ChannelRequest.EditText(to(chat), text, "Changed"));
    assertThat(message(client, chat, text).string("text")).contains("Changed");
    ts(channel, new ChannelRequest.SetReaction(to(chat), text, MessageStatus.RUNNING));
    ts(channel, new ChannelRequest.SetReaction(to(chat), text, MessageStatus.DONE));
    assertThat(message(client, chat, text).objects("reactions"))
        .extracting(it -> it.string("name").orElse(""))
        .containsExactly("white_check_mark");
    assertThat(
            body(client.call("conversations.replies", Map.of("channel", chat, "ts", text)))
                .objects("messages"))
        .extracting(it -> it.string("ts").orElse(""))
        .contains(reply);
    Path file = folder.resolve("report.txt");
    Files.writeString(file, "all green");
    assertThat(
            channel.send(
                id("o9"),
                new ChannelRequest.SendFile(to(chat), file, "report.txt", Optional.of("Here"))))
        .isInstanceOf(SendResult.Sent.class);
    assertThat(channel.send(id("o1"), new ChannelRequest.SendText(to("C0NO"), "x", none())))
        .isInstanceOf(SendResult.Refused.class);
  }

  private static Optional<String> none() {
    return Optional.empty();
  }

  private static String ts(SlackChannel channel, ChannelRequest request) {
    SendResult result = channel.send(id("o1"), request);
    assertThat(result).isInstanceOf(SendResult.Sent.class);
    return ((SendResult.Sent) result).message();
  }

  private static JsonValue.Obj message(SlackClient client, String chat, String ts)
      throws Exception {
    return body(client.call("conversations.history", Map.of("channel", chat)))
        .objects("messages")
        .stream()
        .filter(it -> it.string("ts").equals(Optional.of(ts)))
        .findFirst()
        .orElse(JsonValue.Obj.EMPTY);
  }

  private static JsonValue.Obj body(SlackAnswer answer) {
    assertThat(answer).isInstanceOf(SlackAnswer.Done.class);
    return ((SlackAnswer.Done) answer).body();
  }

  private Process start(Path script, int port) throws IOException {
    return new ProcessBuilder(
            "node", script.toString(), "start", "-s", "slack", "-p", Integer.toString(port))
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("emulator.log").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }
}
