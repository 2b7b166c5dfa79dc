package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.FakeMatrix.ANN;
import static dev.midcourse.channels.matrix.FakeMatrix.BOB;
import static dev.midcourse.channels.matrix.FakeMatrix.BOT;
import static dev.midcourse.channels.matrix.FakeMatrix.mention;
import static dev.midcourse.channels.matrix.FakeMatrix.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue.Obj;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel against a homeserver of the test. */
class MatrixChannelTest {
  private static final Obj EMPTY = Obj.EMPTY;

  @TempDir Path folder;

  private final RecordingListener listener = RecordingListener.likeTheLedger();
  private final MemoryState state = new MemoryState();
  private final ProcessLocks locks = new ProcessLocks();
  private FakeMatrix server;
  private Channel channel;
  private String room;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeMatrix();
    room = server.createRoom(ANN, false, BOT);
    server.setMember(room, BOT, BOT, "join", false);
    server.setMember(room, ANN, BOB, "join", false);
    channel = open();
  }

  @AfterEach
  void end() {
    channel.close();
    server.close();
  }

  private MapConfig config() {
    return MapConfig.of(
        "matrix", Map.of("server", server.url().toString(), "token", FakeMatrix.token(BOT)));
  }

  private ChannelContext context() {
    return new ChannelContext(InstantSource.system(), state, locks, folder);
  }

  private Channel open() {
    return new MatrixKind().open(config(), context());
  }

  private void start() {
    channel.start(listener);
    await().until(() -> state.get(MatrixReceiver.SINCE).isPresent());
  }

  private void restart() {
    channel.close();
    channel = open();
    channel.start(listener);
  }

  private List<InboundMessage> received(int count) {
    await().atMost(Duration.ofMinutes(1)).until(() -> listener.messages().size() >= count);
    assertThat(listener.messages()).hasSize(count);
    return listener.messages();
  }

  private ChatAddress to() {
    return new ChatAddress(ChannelName.of("matrix"), room, Optional.empty());
  }

  private SendResult sendText(String id, String markdown) {
    return channel.send(
        OutboundId.of(id), new ChannelRequest.SendText(to(), markdown, Optional.empty()));
  }

  /** Seen to fail when a mention does not count. */
  @Test
  void a_message_with_a_mention_arrives_with_its_sender_and_its_room() {
    server.say(room, ANN, "old");
    start();
    server.send(room, ANN, "m.room.message", mention(text("👍🏽 bot: fix the login")));
    server.send(room, ANN, "m.room.message", mention(text("bot: stop")));
    server.say(room, BOB, "bot, this mentions nobody");

    List<InboundMessage> messages = received(3);
    assertThat(messages.getFirst().sender().identity())
        .contains(new Identity(ChannelName.of("matrix"), ANN));
    assertThat(messages.getFirst().ref().chat()).isEqualTo(room);
    assertThat(messages.getFirst().mentioned()).isTrue();
    assertThat(messages.get(1).bareText()).isEqualTo("stop");
    assertThat(messages.get(2).mentioned()).as("a name alone is no mention").isFalse();
    assertThat(channel.identity()).contains(new Identity(ChannelName.of("matrix"), BOT));
    assertThat(channel.status()).isInstanceOf(ChannelStatus.Connected.class);
  }

  /** Seen to fail when the position is stored before the listener has taken the events. */
  @Test
  void t390_a_message_that_could_not_be_stored_comes_again() {
    start();
    String before = state.get(MatrixReceiver.SINCE).orElseThrow();
    listener.failOnce(new IllegalStateException("the disk is full"));
    server.say(room, ANN, "fix it");

    received(1);
    assertThat(listener.deliveries()).isEqualTo(2);
    await().until(() -> !state.get(MatrixReceiver.SINCE).orElseThrow().equals(before));
  }

  /** Seen to fail when every refusal is tried again. */
  @Test
  void a_message_that_is_refused_for_ever_does_not_hold_up_the_next() {
    start();
    listener.failOnce(Problem.invalid("text", "x", "never").refused());
    server.say(room, ANN, "bad");
    server.say(room, ANN, "good");

    assertThat(received(1).getFirst().text()).isEqualTo("good");
  }

  /** Seen to fail when each delivery gets a key of its own. */
  @Test
  void an_old_position_gives_the_same_events_which_change_nothing() {
    start();
    String old = state.get(MatrixReceiver.SINCE).orElseThrow();
    server.say(room, ANN, "one");
    server.say(room, ANN, "two");
    received(2);
    channel.close();
    state.put(MatrixReceiver.SINCE, old);
    channel = open();
    channel.start(listener);

    await().until(() -> listener.deliveries() == 4);
    assertThat(listener.bareTexts()).containsExactly("one", "two");
  }

  /** Seen to fail when a limited timeline is taken for the whole. */
  @Test
  void t392_what_a_limited_sync_leaves_out_is_fetched_in_order() {
    start();
    channel.close();
    IntStream.range(0, 1_000).forEach(i -> server.say(room, ANN, "m" + i));
    channel = open();
    channel.start(listener);

    received(1_000);
    assertThat(listener.bareTexts())
        .containsExactlyElementsOf(IntStream.range(0, 1_000).mapToObj(i -> "m" + i).toList());
  }

  /** Seen to fail when the whole timeline of the first sync is taken. */
  @Test
  void what_was_written_before_the_bot_came_is_not_for_it() {
    start();
    String other = server.createRoom(ANN, true);
    server.say(other, ANN, "private");
    server.setMember(other, ANN, BOT, "invite", true);

    await().until(() -> server.membership(other, BOT).equals("join"));
    server.say(other, ANN, "hello");
    InboundMessage message = received(1).getFirst();
    assertThat(message.text()).isEqualTo("hello");
    assertThat(message.chat().kind()).isEqualTo(ChatKind.DIRECT);
    assertThat(message.mentioned()).isTrue();
    assertThat(listener.notices()).contains(new ChannelNotice.ChatOpened(other, Optional.empty()));
  }

  /** Seen to fail when every invitation is accepted. */
  @Test
  void an_invitation_is_left_alone_if_the_settings_say_so() {
    channel = new MatrixKind().open(config().with("join", "never"), context());
    start();
    String other = server.createRoom(ANN, true, BOT);
    server.say(room, ANN, "after");

    received(1);
    assertThat(server.membership(other, BOT)).isEqualTo("invite");
  }

  /** Seen to fail when an edit has the key of its message. */
  @Test
  void an_edit_names_its_message_and_its_own_sender() {
    start();
    String first = server.say(room, ANN, "use tabs");
    server.send(room, BOB, "m.room.message", edit(first, "delete everything"));
    server.send(room, ANN, "m.room.message", edit(first, "use spaces"));

    List<InboundMessage> messages = received(3);
    assertThat(messages.get(1).kind()).isEqualTo(InboundKind.EDIT);
    assertThat(messages.get(1).ref().message()).isEqualTo(first);
    assertThat(messages.get(1).sender().identity().orElseThrow().handle())
        .as("the server accepts an edit by anybody; who it was is said")
        .isEqualTo(BOB);
    assertThat(messages.get(2).text()).isEqualTo("use spaces");
    assertThat(messages.get(2).updateKey()).isNotEqualTo(messages.getFirst().updateKey());
  }

  private static Obj edit(String message, String text) {
    return text("* " + text)
        .with("m.new_content", text(text))
        .with("m.relates_to", EMPTY.with("rel_type", "m.replace").with("event_id", message));
  }

  /** Seen to fail when a redaction is taken for an edit. */
  @Test
  void a_redaction_is_a_deletion_by_its_sender() {
    start();
    String first = server.say(room, ANN, "use tabs");
    server.send(room, ANN, "m.room.redaction", EMPTY.with("redacts", first));

    InboundMessage deletion = received(2).get(1);
    assertThat(deletion.kind()).isEqualTo(InboundKind.DELETION);
    assertThat(deletion.ref().message()).isEqualTo(first);
  }

  /** Seen to fail when the fallback of a message in a thread counts as a reply. */
  @Test
  void threads_and_replies_are_told_by_structure() {
    start();
    assertThat(sendText("out-1", "Done.")).isInstanceOf(SendResult.Sent.class);
    String ours = server.sent(room, BOT).getFirst().string("event_id").orElseThrow();
    Obj reply = EMPTY.with("m.in_reply_to", EMPTY.with("event_id", ours));
    server.send(
        room,
        ANN,
        "m.room.message",
        text("> <@bot:localhost> Done.\n\nNot yet").with("m.relates_to", reply));
    server.send(
        room,
        ANN,
        "m.room.message",
        text("in the thread")
            .with(
                "m.relates_to",
                reply
                    .with("rel_type", "m.thread")
                    .with("event_id", ours)
                    .with("is_falling_back", true)));

    List<InboundMessage> messages =
        await()
            .until(
                () ->
                    listener.messages().stream()
                        .filter(it -> it.sender().kind() == SenderKind.PERSON)
                        .toList(),
                it -> it.size() == 2);
    assertThat(messages.getFirst().text()).isEqualTo("Not yet");
    assertThat(messages.getFirst().replyTo().orElseThrow().ours()).isTrue();
    assertThat(messages.getFirst().thread()).isEmpty();
    assertThat(messages.get(1).thread()).contains(ours);
    assertThat(messages.get(1).replyTo()).as("the fallback is no reply").isEmpty();
  }

  /** Seen to fail when messages of our own account are taken. */
  @Test
  void notices_of_other_bots_and_our_own_are_nobodys_words() {
    start();
    server.send(room, BOB, "m.room.message", text("I am a bot").with("msgtype", "m.notice"));
    sendText("out-1", "I am one, too");
    server.say(room, BOT, "typed by hand with the account of the bot");
    server.say(room, ANN, "I am not");

    assertThat(received(1).getFirst().text()).isEqualTo("I am not");
  }

  /** Seen to fail when the transaction id changes with each call. */
  @Test
  void t396_a_repeated_request_sends_one_event() {
    start();
    server.cutsAnswerOfSend = true;

    assertThat(sendText("out-1", "**Done.**")).isInstanceOf(SendResult.Unknown.class);
    assertThat(sendText("out-1", "**Done.**")).isInstanceOf(SendResult.Sent.class);
    assertThat(server.sent(room, BOT))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.object("content").string("msgtype")).contains("m.notice");
          assertThat(event.object("content").string("body")).contains("Done.");
          assertThat(event.object("content").string("formatted_body").orElse(""))
              .contains("<strong>Done.</strong>");
        });
  }

  /** Seen to fail when a limit counts as a refusal. */
  @Test
  void the_server_names_the_time_to_wait() {
    start();
    server.failNext(
        "/send/",
        new FakeMatrix.Failure(
            429, EMPTY.with("errcode", "M_LIMIT_EXCEEDED").with("retry_after_ms", 7_500)));

    assertThat(sendText("out-1", "x"))
        .isInstanceOfSatisfying(
            SendResult.RetryAfter.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofMillis(7_500)));
    server.failNext("/send/", FakeMatrix.Failure.of(413, "M_TOO_LARGE"));
    assertThat(sendText("out-1", "x")).isInstanceOf(SendResult.Refused.class);
    server.failNext("/send/", FakeMatrix.Failure.of(502, "M_UNKNOWN"));
    assertThat(sendText("out-1", "x")).isInstanceOf(SendResult.Unknown.class);
    server.failNext("/send/", FakeMatrix.Failure.of(403, "M_FORBIDDEN"));
    assertThat(sendText("out-1", "x")).isInstanceOf(SendResult.Refused.class);
  }

  /** Seen to fail when a revoked token is tried for ever. */
  @Test
  void a_revoked_token_stops_the_channel_with_a_remedy_and_is_not_shown() {
    start();
    server.failNext("/sync", FakeMatrix.Failure.of(401, "M_UNKNOWN_TOKEN"));
    server.say(room, ANN, "wakes the sync");

    await().until(() -> channel.status() instanceof ChannelStatus.Stopped);
    assertThat(listener.notices()).hasSize(1).first().isInstanceOf(ChannelNotice.Stopped.class);
    String shown = channel.status() + " " + listener.notices() + " " + server.requests;
    assertThat(shown).contains("new access token").doesNotContain(FakeMatrix.token(BOT));
  }

  /** Seen to fail when rooms that the bot has left are not looked at. */
  @Test
  void a_bot_that_was_removed_says_so() {
    start();
    server.setMember(room, ANN, BOT, "leave", false);

    await().until(() -> !listener.notices().isEmpty());
    assertThat(listener.notices().getFirst())
        .isEqualTo(new ChannelNotice.ChatClosed(room, "the bot is no longer in the room"));
    assertThat(sendText("out-1", "x")).isInstanceOf(SendResult.Refused.class);
  }

  /** Seen to fail when the bot enters the new room and says nothing. */
  @Test
  void a_room_that_was_replaced_moves_the_chat() {
    start();
    String other = server.createRoom(ANN, false, BOT);
    await().until(() -> server.membership(other, BOT).equals("join"));
    server.setState(room, ANN, "m.room.tombstone", EMPTY.with("replacement_room", other));

    await().until(() -> listener.notices().contains(new ChannelNotice.ChatMoved(room, other)));
  }

  @Test
  void an_encrypted_room_is_told_once_that_it_cannot_be_read() {
    start();
    server.setState(room, ANN, "m.room.encryption", EMPTY.with("algorithm", "m.megolm.v1"));
    server.send(room, ANN, "m.room.encrypted", EMPTY.with("ciphertext", "?"));
    server.send(room, ANN, "m.room.encrypted", EMPTY.with("ciphertext", "?"));
    server.say(room, ANN, "clear");

    received(1);
    restart();
    server.send(room, ANN, "m.room.encrypted", EMPTY.with("ciphertext", "?"));
    server.say(room, ANN, "clear again");
    received(2);
    assertThat(server.sent(room, BOT))
        .singleElement()
        .satisfies(
            it -> assertThat(it.object("content").string("body").orElse("")).contains("encrypted"));
  }

  /** Seen to fail when the old reaction stays. */
  @Test
  void a_new_reaction_takes_the_place_of_the_old_one() {
    start();
    String message = server.say(room, ANN, "fix it");
    SendResult first = react("out-1", message, MessageStatus.RUNNING);
    SendResult again = react("out-1b", message, MessageStatus.RUNNING);
    SendResult done = react("out-2", message, MessageStatus.DONE);

    assertThat(List.of(first, again, done)).hasOnlyElementsOfType(SendResult.Sent.class);
    List<Obj> sent = server.sent(room, BOT);
    assertThat(sent.stream().map(it -> it.string("type").orElse("")))
        .containsExactly("m.reaction", "m.reaction", "m.room.redaction");
    assertThat(sent.getLast().object("content").string("redacts"))
        .isEqualTo(sent.getFirst().string("event_id"));
    assertThat(sent.get(1).object("content").object("m.relates_to").string("key")).contains("✅");
  }

  private SendResult react(String id, String message, MessageStatus status) {
    return channel.send(OutboundId.of(id), new ChannelRequest.SetReaction(to(), message, status));
  }

  /** Seen to fail when an edit names another event. */
  @Test
  void an_edit_replaces_the_text_of_our_message() {
    start();
    String first = ((SendResult.Sent) sendText("out-1", "1 of 3")).message();

    assertThat(
            channel.send(
                OutboundId.of("out-2"), new ChannelRequest.EditText(to(), first, "2 of 3")))
        .isEqualTo(new SendResult.Sent(first));
    Obj content = server.sent(room, BOT).getLast().object("content");
    assertThat(content.object("m.relates_to").string("event_id")).contains(first);
    assertThat(content.object("m.new_content").string("body")).contains("2 of 3");
  }

  /** Seen to fail when every host may be asked for a file. */
  @Test
  void files_go_both_ways_and_the_token_does_not_follow_a_redirect() throws IOException {
    start();
    Path file = Files.writeString(folder.resolve("report.txt"), "all is well");
    assertThat(
            channel.send(
                OutboundId.of("out-1"),
                new ChannelRequest.SendFile(to(), file, "../report.txt", Optional.empty())))
        .isInstanceOf(SendResult.Sent.class);
    Obj content = server.sent(room, BOT).getFirst().object("content");
    assertThat(content.string("filename")).contains("report.txt");
    server.send(
        room,
        ANN,
        "m.room.message",
        content.with("msgtype", "m.file").with("filename", "../../etc/passwd\n"));

    Attachment received = received(1).getFirst().attachments().getFirst();
    Path target = folder.resolve("fetched");
    channel.fetch(received, target, 100);
    assertThat(target).hasContent("all is well");
    assertThatThrownBy(() -> channel.fetch(received, folder.resolve("large"), 3))
        .isInstanceOf(IOException.class);
    try (FakeMatrix other = new FakeMatrix()) {
      server.redirectsMedia = Optional.of(other.url() + "/stolen");
      assertThatThrownBy(() -> channel.fetch(received, folder.resolve("stolen"), 100))
          .hasMessageContaining("not of the platform");
      assertThat(other.requests).isEmpty();
    }
  }

  /** Seen to fail when a new connection does not go on from the stored position. */
  @Test
  void a_server_that_is_gone_for_a_while_loses_nothing() {
    start();
    server.failNext("/sync", FakeMatrix.Failure.of(502, "M_UNKNOWN"));
    server.say(room, ANN, "one");
    await().until(() -> channel.status() instanceof ChannelStatus.Retrying);
    server.say(room, ANN, "two");

    received(2);
    server.say(room, ANN, "three");
    received(3);
    await().until(() -> channel.status() instanceof ChannelStatus.Connected);
  }

  /** Seen to fail when the channel begins anew and says nothing. */
  @Test
  void a_position_that_the_server_does_not_know_is_said() {
    start();
    server.failNext("/sync", FakeMatrix.Failure.of(400, "M_INVALID_PARAM"));
    server.say(room, ANN, "wakes the sync");

    await().until(() -> !listener.notices().isEmpty());
    assertThat(listener.notices().getFirst()).isInstanceOf(ChannelNotice.Gap.class);
    await().until(() -> state.get(MatrixReceiver.SINCE).filter(it -> !it.isEmpty()).isPresent());
    server.say(room, ANN, "goes on");
    await().until(() -> listener.bareTexts().contains("goes on"));
  }

  /** Seen to fail when the channel receives without the lock. */
  @Test
  void a_second_process_waits_instead_of_receiving_too() {
    start();
    try (Channel second = open()) {
      second.start(listener);
      await().until(() -> second.status() instanceof ChannelStatus.Standby);
    }
  }

  @Test
  void the_check_names_the_account_and_a_wrong_token() {
    assertThat(new MatrixKind().check(config(), context()))
        .extracting(ChannelCheck::text)
        .contains("is " + BOT);
    List<ChannelCheck> wrong =
        new MatrixKind().check(config().with("token", "a-wrong-token"), context());
    assertThat(wrong)
        .singleElement()
        .satisfies(it -> {
          assertThat(it.result()).isEqualTo(ChannelCheck.Result.FAILED);
          assertThat(it.toString()).doesNotContain("a-wrong-token");
        });
  }
}
