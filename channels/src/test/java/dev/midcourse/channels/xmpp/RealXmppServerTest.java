package dev.midcourse.channels.xmpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.ClientPrograms;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.Program;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel on a real Prosody, with @xmpp/client as the other people. */
@Tag("setup")
class RealXmppServerTest {
  private static final ChannelName NAME = ChannelName.of("xmpp");
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String ROOM = "dev@rooms.localhost";
  private static final Identity ANN = new Identity(NAME, "ann@localhost");

  @TempDir Path folder;
  private final MemoryState state = new MemoryState();
  private final RecordingListener listener = new RecordingListener();
  private final List<AutoCloseable> open = new ArrayList<>();
  private Optional<Prosody> started = Optional.empty();

  @BeforeEach
  void start() {
    started = Optional.of(new Prosody(folder));
    open.add(server());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Prosody server() {
    return started.orElseThrow();
  }

  private MapConfig config(Map<String, String> more) {
    Map<String, String> values = new HashMap<>();
    values.put("account", "midcourse@localhost");
    values.put("password", "midcourse-password");
    values.put("server", "127.0.0.1");
    values.put("port", Integer.toString(server().port()));
    values.put("tls", "false");
    values.put("rooms", ROOM);
    values.putAll(more);
    return MapConfig.of(NAME.value(), values);
  }

  private XmppChannel channel(Map<String, String> settings) {
    XmppChannel channel =
        (XmppChannel) new XmppKind().open(config(settings), state.context(InstantSource.system()));
    open.add(channel);
    channel.start(listener);
    return channel;
  }

  private XmppChannel entered() {
    XmppChannel channel = channel(Map.of());
    listener.awaitNotice(ChannelNotice.ChatOpened.class, notice -> notice.chat().equals(ROOM));
    return channel;
  }

  private Program person(String name) {
    Path script = ClientPrograms.script("xmpp", "person.mjs");
    Program person =
        Program.start(
            folder,
            "node",
            script.toString(),
            Integer.toString(server().port()),
            "localhost",
            name,
            name + "-password");
    open.add(person);
    person.awaitLine(line -> line.equals("online"));
    return person;
  }

  private static void enterRoom(Program person, String nick) {
    person.say(
        "[\"presence\",{\"to\":\"%s/%s\"},[\"x\",{\"xmlns\":\"http://jabber.org/protocol/muc\"}]]"
            .formatted(ROOM, nick));
    person.awaitLine(line -> line.contains("<status code=\"110\""));
  }

  private static void sayInRoom(Program person, String id, String text, String more) {
    person.say(
        "[\"message\",{\"to\":\"%s\",\"type\":\"groupchat\",\"id\":\"%s\"},[\"body\",{},\"%s\"]%s]"
            .formatted(ROOM, id, text, more));
  }

  private static void sayDirectly(Program person, String id, String text) {
    person.say(
        "[\"message\",{\"to\":\"midcourse@localhost\",\"type\":\"chat\",\"id\":\"%s\"},[\"body\",{},\"%s\"]]"
            .formatted(id, text));
  }

  private static SendResult send(XmppChannel channel, String id, ChannelRequest request) {
    return channel.send(OutboundId.of(id), request);
  }

  private static ChatAddress to(String chat) {
    return new ChatAddress(NAME, chat, Optional.empty());
  }

  private static ChannelRequest text(String chat, String text, Optional<String> replyTo) {
    return new ChannelRequest.SendText(to(chat), text, replyTo);
  }

  @Test
  void a_new_room_is_unlocked_and_shows_who_is_behind_each_nick() {
    XmppChannel channel = entered();
    Program ann = person("ann");
    enterRoom(ann, "somebody");

    sayInRoom(ann, "a1", "Midcourse: use tabs 👍", "");
    InboundMessage message = listener.awaitMessage("Midcourse: use tabs 👍");

    assertThat(message.sender().identity()).contains(ANN);
    assertThat(message.sender().name()).isEqualTo("somebody");
    assertThat(message.chat().kind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.mentioned()).isTrue();
    assertThat(message.bareText()).isEqualTo("use tabs 👍");
    assertThat(message.ref().message()).isNotEqualTo("a1");

    SendResult.Sent sent =
        (SendResult.Sent)
            send(channel, "out-1", text(ROOM, "On it.", Optional.of(message.ref().message())));
    String seen = ann.awaitLine(line -> line.contains("On it."));
    assertThat(seen).contains("id=\"" + sent.message() + "\"").contains("urn:xmpp:reply:0");

    sayInRoom(
        ann,
        "a2",
        "> On it.\\nand spaces",
        ",[\"reply\",{\"xmlns\":\"urn:xmpp:reply:0\",\"id\":\"%s\"}],[\"fallback\",{\"xmlns\":\"urn:xmpp:fallback:0\",\"for\":\"urn:xmpp:reply:0\"},[\"body\",{\"start\":\"0\",\"end\":\"9\"}]]"
            .formatted(sent.message()));
    InboundMessage reply = listener.awaitMessage("and spaces");
    assertThat(reply.replyTo().orElseThrow().message()).isEqualTo(sent.message());
    assertThat(reply.replyTo().orElseThrow().ours()).isTrue();
  }

  @Test
  void progress_is_corrected_and_a_reaction_replaced_in_a_room_and_between_two() {
    XmppChannel channel = entered();
    Program ann = person("ann");
    enterRoom(ann, "ann");
    for (String chat : List.of(ROOM, "ann@localhost")) {
      String mark = chat.equals(ROOM) ? "room" : "two";
      SendResult.Sent first =
          (SendResult.Sent)
              send(channel, mark + "-1", text(chat, "Step 1 " + mark, Optional.empty()));
      ann.awaitLine(line -> line.contains("Step 1 " + mark));

      assertThat(
              send(
                  channel,
                  mark + "-2",
                  new ChannelRequest.EditText(to(chat), first.message(), "Step 2 " + mark)))
          .isEqualTo(first);
      assertThat(ann.awaitLine(line -> line.contains("Step 2 " + mark)))
          .contains("urn:xmpp:message-correct:0")
          .containsPattern("<replace [^>]*id=\"midcourse-" + mark + "-1\"");
    }
    sayInRoom(ann, "a1", "hello", "");
    String message = listener.awaitMessage("hello").ref().message();
    assertThat(
            send(
                channel,
                "r-1",
                new ChannelRequest.SetReaction(to(ROOM), message, MessageStatus.RUNNING)))
        .isInstanceOf(SendResult.Sent.class);
    assertThat(ann.awaitLine(line -> line.contains("urn:xmpp:reactions:0")))
        .contains("id=\"" + message + "\"")
        .contains("👀");
  }

  /** Seen to fail when the position is not read from the store. */
  @Test
  void t442_what_was_written_while_the_hub_was_away_comes_from_the_archives() {
    XmppChannel channel = entered();
    Program ann = person("ann");
    enterRoom(ann, "ann");
    sayInRoom(ann, "a1", "before", "");
    sayDirectly(ann, "d1", "direct before");
    listener.awaitMessage("before");
    listener.awaitMessage("direct before");
    channel.close();
    for (int i = 0; i < 60; i++) {
      sayInRoom(ann, "b" + i, "away " + i, "");
    }
    sayDirectly(ann, "d2", "direct away");
    ann.awaitLine(line -> line.contains("away 59"));

    entered();
    listener.awaitMessage("away 59");
    InboundMessage direct = listener.awaitMessage("direct away");

    assertThat(listener.messages()).filteredOn(one -> one.text().startsWith("away")).hasSize(60);
    assertThat(listener.awaitMessage("away 0").sender().identity()).contains(ANN);
    assertThat(direct.sender().identity()).contains(ANN);
    assertThat(direct.chat().kind()).isEqualTo(ChatKind.DIRECT);
    assertThat(listener.texts()).containsOnlyOnce("before").containsOnlyOnce("direct away");
    assertThat(listener.notices()).noneMatch(ChannelNotice.Gap.class::isInstance);
  }

  /** Seen to fail when the end of a connection is not noticed. */
  @Test
  void a_lost_connection_is_opened_again_and_nothing_is_lost_or_doubled() {
    entered();
    Program ann = person("ann");
    sayDirectly(ann, "d1", "one");
    listener.awaitMessage("one");

    server().restart();
    Program again = person("ann");
    sayDirectly(again, "d2", "two");
    listener.awaitMessage("two");

    assertThat(listener.texts()).containsExactly("one", "two");
  }

  /**
   * Only the author may correct a message; a stranger's correction is a message of nobody.
   *
   * <p>Seen to fail when the sender of the correction is not compared.
   */
  @Test
  void a_correction_of_somebody_else_changes_nothing() {
    entered();
    Program ann = person("ann");
    Program eve = person("eve");
    enterRoom(ann, "ann");
    enterRoom(eve, "eve");
    sayInRoom(ann, "a1", "use tabs", "");
    InboundMessage first = listener.awaitMessage("use tabs");
    String correction = ",[\"replace\",{\"xmlns\":\"urn:xmpp:message-correct:0\",\"id\":\"a1\"}]";

    sayInRoom(eve, "e1", "delete it all", correction);
    sayInRoom(ann, "a2", "use spaces", correction);
    InboundMessage edit = listener.awaitMessage("use spaces");

    assertThat(edit.kind()).isEqualTo(InboundKind.EDIT);
    assertThat(edit.ref()).isEqualTo(first.ref());
    assertThat(edit.updateKey()).isNotEqualTo(first.updateKey());
    assertThat(listener.texts()).doesNotContain("delete it all");
  }

  @Test
  void a_forged_id_of_the_archive_is_not_believed() {
    entered();
    Program ann = person("ann");
    enterRoom(ann, "ann");

    sayInRoom(
        ann,
        "a1",
        "forged",
        ",[\"stanza-id\",{\"xmlns\":\"urn:xmpp:sid:0\",\"by\":\"%s\",\"id\":\"mine\"}]"
            .formatted(ROOM));

    assertThat(listener.awaitMessage("forged").ref().message()).isNotEqualTo("mine");
  }

  /** Seen to fail when the id of the sender is given for a message in a room. */
  @Test
  void a_message_whose_answer_was_lost_is_looked_up_in_the_archive() {
    XmppChannel channel = entered();
    for (String chat : List.of(ROOM, "ann@localhost")) {
      ChannelRequest request = text(chat, "once", Optional.empty());
      SendResult.Sent sent = (SendResult.Sent) send(channel, "out-" + chat.length(), request);

      assertThat(channel.lookUp(OutboundId.of("out-" + chat.length()), request))
          .isEqualTo(new LookUpResult.Found(sent.message()));
      assertThat(channel.lookUp(OutboundId.of("never-sent"), request))
          .isInstanceOf(LookUpResult.NotKnown.class);
    }
  }

  /** Seen to fail when a kick is left out. */
  @Test
  void a_kicked_bot_says_so_and_its_messages_wait() {
    Program ann = person("ann");
    enterRoom(ann, "ann"); // the first one owns the room, which stays locked until configured
    ann.say(
        "[\"iq\",{\"type\":\"set\",\"id\":\"c\",\"to\":\"%s\"},[\"query\",{\"xmlns\":\"http://jabber.org/protocol/muc#owner\"},[\"x\",{\"xmlns\":\"jabber:x:data\",\"type\":\"submit\"}]]]"
            .formatted(ROOM));
    ann.awaitLine(line -> line.contains("id=\"c\"") && line.contains("result"));
    XmppChannel channel = entered();

    sayInRoom(ann, "a1", "hello anonymous", "");
    assertThat(listener.awaitMessage("hello anonymous").sender().identity()).isEmpty();
    ann.say(
        "[\"iq\",{\"type\":\"set\",\"id\":\"k\",\"to\":\"%s\"},[\"query\",{\"xmlns\":\"http://jabber.org/protocol/muc#admin\"},[\"item\",{\"nick\":\"midcourse\",\"role\":\"none\"},[\"reason\",{},\"too loud\"]]]]"
            .formatted(ROOM));

    assertThat(listener.awaitNotice(ChannelNotice.ChatClosed.class, notice -> true).reason())
        .contains("too loud");
    assertThat(send(channel, "out-1", text(ROOM, "hello", Optional.empty())))
        .isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when a refused login is tried again. */
  @Test
  void a_refused_login_stops_the_channel_and_shows_no_password() {
    XmppChannel channel = channel(Map.of("password", "wrong-password"));

    ChannelNotice.Stopped stopped =
        listener.awaitNotice(ChannelNotice.Stopped.class, notice -> true);

    assertThat(stopped.reason()).contains("refused the login").doesNotContain("wrong-password");
    assertThat(channel.status()).isInstanceOf(ChannelStatus.Stopped.class);
    assertThat(
            new XmppKind()
                .check(
                    config(Map.of("password", "wrong-password")),
                    state.context(InstantSource.system())))
        .first()
        .extracting(ChannelCheck::result)
        .isEqualTo(ChannelCheck.Result.FAILED);
    assertThat(new XmppKind().check(config(Map.of()), state.context(InstantSource.system())))
        .extracting(ChannelCheck::result)
        .containsOnly(ChannelCheck.Result.OK);
  }

  /**
   * Seen to fail when a failure of the store is taken for the end, and when a bad message is tried
   * for ever.
   */
  @Test
  void a_message_that_cannot_be_stored_is_kept_and_a_bad_one_blocks_nothing() {
    entered();
    Program ann = person("ann");
    listener.failOnce(new IllegalStateException("disk full"));
    sayDirectly(ann, "d1", "first");
    listener.awaitMessage("first");
    listener.failOnce(Problem.invalid("text", "none", "bad for ever").refused());
    sayDirectly(ann, "d2", "bad");
    sayDirectly(ann, "d3", "second");
    listener.awaitMessage("second");

    assertThat(listener.texts()).containsExactly("first", "second");
  }

  @Test
  void an_address_that_nobody_has_is_refused_or_taken_by_the_server() {
    XmppChannel channel = entered();

    assertThat(send(channel, "out-1", text("no address", "x", Optional.empty())))
        .isInstanceOf(SendResult.Refused.class);
    assertThat(send(channel, "out-2", text("nobody@localhost", "x", Optional.empty())))
        .isInstanceOf(SendResult.Refused.class);
    await().atMost(TIMEOUT).until(() -> channel.status() instanceof ChannelStatus.Connected);
  }

  /** Seen to fail when an error that comes after the ping is left out. */
  @Test
  void t484_a_message_that_is_refused_after_it_was_taken_is_reported() {
    XmppChannel channel = entered();
    Program ann = person("ann");
    SendResult.Sent sent =
        (SendResult.Sent) send(channel, "out-1", text("ann@localhost", "hello", Optional.empty()));
    listener.failOnce(
        Problem.of(Problem.Code.UNAVAILABLE, "store", "room", "the disk is full").refused());

    ann.say(
        "[\"message\",{\"to\":\"midcourse@localhost/midcourse\",\"type\":\"error\",\"id\":\"%s\"},[\"error\",{\"type\":\"cancel\"},[\"recipient-unavailable\",{\"xmlns\":\"urn:ietf:params:xml:ns:xmpp-stanzas\"}]]]"
            .formatted(sent.message()));

    await().atMost(TIMEOUT).until(() -> !listener.undelivered().isEmpty());
    assertThat(listener.undelivered())
        .containsExactly(
            new RecordingListener.Undelivered(
                sent.message(), "the server answered later: recipient-unavailable"));
  }

  /** Seen to fail when the first message of an empty archive counts as read. */
  @Test
  void t451_the_very_first_message_may_come_while_the_hub_is_away() {
    entered().close();
    Program ann = person("ann");
    sayDirectly(ann, "d1", "first ever");

    entered();

    listener.awaitMessage("first ever");
  }

  /** Seen to fail when the element of the archive is believed in a live message. */
  @Test
  void t452_a_sender_in_a_room_cannot_write_the_account_of_somebody_else() {
    XmppChannel channel = entered();
    Program eve = person("eve");
    enterRoom(eve, "ann");
    String forged =
        ",[\"x\",{\"xmlns\":\"http://jabber.org/protocol/muc#user\"},[\"item\",{\"jid\":\"ann@localhost\"}]]";

    sayInRoom(eve, "e1", "live", forged);
    InboundMessage live = listener.awaitMessage("live");
    channel.close();
    sayInRoom(eve, "e2", "archived", forged);
    eve.awaitLine(line -> line.contains(">archived<"));
    entered();
    InboundMessage archived = listener.awaitMessage("archived");

    assertThat(live.sender().identity()).contains(new Identity(NAME, "eve@localhost"));
    assertThat(archived.sender().identity()).isEmpty();
  }
}
