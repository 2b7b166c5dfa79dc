package dev.midcourse.channels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue.Arr;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.json.JsonValue.Str;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel against a real Synapse. */
@Tag("long")
class MatrixSynapseTest {
  @TempDir Path folder;

  @Test
  void matrix_js_sdk_talks_with_the_bot_over_synapse() throws Exception {
    try (Synapse synapse = Synapse.start(folder, Map.of())) {
      MatrixTalk.check(
          MatrixTalk.run(synapse.url(), synapse.register("bot"), synapse.register("ann"), folder));
    }
  }

  @Test
  void a_backlog_reactions_files_and_the_end_of_a_token_on_synapse() throws Exception {
    try (Synapse synapse = Synapse.start(folder, Map.of())) {
      MatrixTalk.Account bot = synapse.register("bot");
      MatrixTalk.Account ann = synapse.register("ann");
      MemoryState state = new MemoryState();
      RecordingListener listener = RecordingListener.likeTheLedger();
      ProcessLocks locks = new ProcessLocks();
      MapConfig config =
          MapConfig.of("matrix", Map.of("server", synapse.url(), "token", bot.token()));
      ChannelContext context = new ChannelContext(InstantSource.system(), state, locks, folder);
      String room;
      try (Channel channel = new MatrixKind().open(config, context)) {
        channel.start(listener);
        await().until(() -> state.get(MatrixReceiver.SINCE).isPresent());
        Obj created =
            synapse.call(
                ann,
                "POST",
                "/createRoom",
                Obj.EMPTY
                    .with("is_direct", true)
                    .with("invite", new Arr(List.of(new Str(bot.user())))));
        room = created.string("room_id").orElseThrow();
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() ->
                listener.notices().stream().anyMatch(it -> it instanceof ChannelNotice.ChatOpened));
      }
      IntStream.range(0, 75).forEach(i -> say(synapse, ann, room, i));
      try (Channel channel = new MatrixKind().open(config, context)) {
        channel.start(listener);
        await().atMost(Duration.ofSeconds(60)).until(() -> listener.messages().size() == 75);
        assertThat(listener.bareTexts())
            .containsExactlyElementsOf(IntStream.range(0, 75).mapToObj(i -> "m" + i).toList());
        InboundMessage last = listener.messages().getLast();
        ChatAddress to = new ChatAddress(ChannelName.of("matrix"), room, Optional.empty());
        for (MessageStatus status : MessageStatus.values()) {
          assertThat(
                  channel.send(
                      OutboundId.of("react-" + status.wire().replace('_', '-')),
                      new ChannelRequest.SetReaction(to, last.ref().message(), status)))
              .isInstanceOf(SendResult.Sent.class);
        }
        Path file = Files.writeString(folder.resolve("report.txt"), "all is well");
        assertThat(
                channel.send(
                    OutboundId.of("file-1"),
                    new ChannelRequest.SendFile(to, file, "report.txt", Optional.of("Here."))))
            .isInstanceOf(SendResult.Sent.class);
        synapse.call(bot, "POST", "/logout", Obj.EMPTY);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> channel.status() instanceof ChannelStatus.Stopped);
      }
    }
  }

  /** The usual limits of Synapse: the channel must be told the time to wait. */
  @Test
  void the_usual_limits_of_synapse_name_a_time_to_wait() throws Exception {
    try (Synapse synapse =
        Synapse.start(folder, Map.of("SYNAPSE_RATE", "0.2", "SYNAPSE_BURST", "10"))) {
      MatrixTalk.Account bot = synapse.register("bot");
      String room =
          synapse.call(bot, "POST", "/createRoom", Obj.EMPTY).string("room_id").orElseThrow();
      try (Channel channel =
          new MatrixKind()
              .open(
                  MapConfig.of("matrix", Map.of("server", synapse.url(), "token", bot.token())),
                  new ChannelContext(
                      InstantSource.system(), new MemoryState(), new ProcessLocks(), folder))) {
        ChatAddress to = new ChatAddress(ChannelName.of("matrix"), room, Optional.empty());
        assertThat(
                IntStream.range(0, 20)
                    .mapToObj(i ->
                        channel.send(
                            OutboundId.of("out-" + i),
                            new ChannelRequest.SendText(to, "m" + i, Optional.empty()))))
            .anyMatch(it -> it instanceof SendResult.RetryAfter);
      }
    }
  }

  private static void say(Synapse synapse, MatrixTalk.Account ann, String room, int number) {
    try {
      synapse.call(
          ann,
          "PUT",
          "/rooms/" + room + "/send/m.room.message/t" + number,
          FakeMatrix.text("m" + number));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
