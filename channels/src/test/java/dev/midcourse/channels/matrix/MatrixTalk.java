package dev.midcourse.channels.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** A conversation of the bot with a person who uses matrix-js-sdk, on any homeserver. */
final class MatrixTalk {
  private static final ChannelName NAME = ChannelName.of("matrix");

  private MatrixTalk() {}

  /** An account of a homeserver. */
  record Account(String user, String token) {}

  /** Runs the conversation and returns what the person saw. */
  static String run(String server, Account bot, Account person, Path folder) throws Exception {
    Path script = ClientPrograms.script("matrix", "talk.mjs");
    RecordingListener listener = RecordingListener.likeTheLedger();
    MemoryState state = new MemoryState();
    try (Channel channel =
        new MatrixKind()
            .open(
                MapConfig.of("matrix", Map.of("server", server, "token", bot.token())),
                new ChannelContext(InstantSource.system(), state, new ProcessLocks(), folder))) {
      channel.start(listener);
      await().until(() -> state.get(MatrixReceiver.SINCE).isPresent());
      Process client = start(script, server, person, bot.user(), folder);
      try {
        await().atMost(Duration.ofMinutes(1)).until(() -> !listener.messages().isEmpty());
        answer(channel, listener.messages().getFirst());
        assertThat(client.waitFor(Duration.ofSeconds(50))).isTrue();
        String seen = java.nio.file.Files.readString(folder.resolve("seen"), UTF_8);
        assertThat(client.exitValue()).as(seen).isZero();
        return seen;
      } finally {
        client.destroyForcibly();
      }
    }
  }

  private static Process start(Path script, String server, Account person, String bot, Path folder)
      throws IOException {
    return new ProcessBuilder("node", script.toString(), server, person.token(), person.user(), bot)
        .redirectOutput(folder.resolve("seen").toFile())
        .redirectError(folder.resolve("problems").toFile())
        .start();
  }

  private static void answer(Channel channel, InboundMessage asked) {
    assertThat(asked.text()).isEqualTo("fix the login");
    assertThat(asked.mentioned()).isTrue();
    ChatAddress to = new ChatAddress(NAME, asked.ref().chat(), Optional.empty());
    String message =
        send(
            channel,
            "out-1",
            new ChannelRequest.SendText(
                to, "**Working** on it.", Optional.of(asked.ref().message())));
    assertThat(
            send(
                channel,
                "out-1",
                new ChannelRequest.SendText(
                    to, "**Working** on it.", Optional.of(asked.ref().message()))))
        .as("the same transaction")
        .isEqualTo(message);
    send(channel, "out-2", new ChannelRequest.EditText(to, message, "**Done.**"));
    send(
        channel,
        "out-3",
        new ChannelRequest.SetReaction(to, asked.ref().message(), MessageStatus.DONE));
  }

  private static String send(Channel channel, String id, ChannelRequest request) {
    SendResult result = channel.send(OutboundId.of(id), request);
    assertThat(result).isInstanceOf(SendResult.Sent.class);
    return ((SendResult.Sent) result).message();
  }

  /** What the person must have seen, whatever the homeserver. */
  static void check(String seen) {
    assertThat(seen)
        .contains("<strong>Working</strong> on it.")
        .contains("\"m.in_reply_to\"")
        .contains("\"rel_type\":\"m.replace\"")
        .contains("\"m.new_content\"")
        .contains("\"key\":\"✅\"");
    assertThat(seen.lines().filter(it -> it.contains("\"body\":\"Working on it.\"")).count())
        .as("the same transaction sends one event")
        .isOne();
  }
}
