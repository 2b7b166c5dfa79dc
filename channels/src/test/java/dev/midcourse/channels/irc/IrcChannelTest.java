package dev.midcourse.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a channel to IRC does on bad days; a fake server makes them. */
class IrcChannelTest {
  private static final String MODERN =
      "message-tags server-time echo-message account-tag batch labeled-response draft/chathistory sasl";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final MemoryState state = new MemoryState();
  private final AtomicReference<Instant> time = new AtomicReference<>(NOW);
  private final InstantSource clock = time::get;
  private final RecordingListener listener = new RecordingListener();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private FakeIrcServer server(
      String capabilities, BiFunction<FakeIrcServer, IrcLine, Boolean> script) {
    FakeIrcServer server = new FakeIrcServer(capabilities, script);
    open.add(server);
    return server;
  }

  private FakeIrcServer server(String capabilities) {
    return server(capabilities, (_, _) -> false);
  }

  private IrcChannel channel(FakeIrcServer server, Map<String, String> settings) {
    IrcChannel channel =
        (IrcChannel)
            new IrcKind().open(IrcParts.config(server.port(), settings), state.context(clock));
    open.add(channel);
    channel.start(listener);
    return channel;
  }

  private IrcChannel joined(FakeIrcServer server) {
    IrcChannel channel = channel(server, Map.of());
    listener.awaitNotice(ChannelNotice.ChatOpened.class, notice -> notice.chat().equals("#dev"));
    return channel;
  }

  @Test
  void aMessageWithAccountMentionAndReplyIsReadByItsStructure() {
    FakeIrcServer server = server(MODERN);
    IrcChannel channel = joined(server);
    SendResult.Sent first = (SendResult.Sent) IrcParts.send(channel, "#dev", "one\ntwo");
    String second = "m" + server.lines().size();

    server.say(
        "@account=Ann;msgid=x1;time=2026-03-01T09:59:00.000Z;+draft/reply="
            + second
            + " :nanna!u@h PRIVMSG #Dev :MIDCOURSE: \u0002use\u0002 tabs");
    InboundMessage message = listener.awaitMessage("MIDCOURSE: use tabs");

    assertThat(message.sender().identity()).contains(new Identity(IrcParts.NAME, "ann"));
    assertThat(message.sender().kind()).isEqualTo(SenderKind.PERSON);
    assertThat(message.ref().chat()).isEqualTo("#dev");
    assertThat(message.updateKey()).isEqualTo("message:x1");
    assertThat(message.mentioned()).isTrue();
    assertThat(message.bareText()).isEqualTo("use tabs");
    assertThat(message.sentAt()).isEqualTo(Instant.parse("2026-03-01T09:59:00Z"));
    assertThat(message.replyTo().orElseThrow().ours()).isTrue();
    assertThat(message.replyTo().orElseThrow().message()).isEqualTo(first.message());
  }

  /** Seen to fail when the nick is taken for the identity. */
  @Test
  void t430_a_nick_without_an_account_is_nobody() {
    FakeIrcServer server = server(MODERN);
    joined(server);

    server.say("@msgid=a :ann!u@h PRIVMSG #dev :I am Ann");
    server.say("@msgid=b;account=ann :ann!u@h PRIVMSG midcourse :really");
    server.say("@msgid=c :ann!u@h PRIVMSG midcourse :not really");

    assertThat(listener.awaitMessage("I am Ann").sender().identity()).isEmpty();
    InboundMessage real = listener.awaitMessage("really");
    InboundMessage other = listener.awaitMessage("not really");
    assertThat(real.sender().identity()).contains(new Identity(IrcParts.NAME, "ann"));
    assertThat(real.chat().kind()).isEqualTo(ChatKind.DIRECT);
    assertThat(other.ref().chat()).isNotEqualTo(real.ref().chat());
  }

  /**
   * An answer to a person is not given to another person who has taken the nick meanwhile.
   *
   * <p>Seen to fail when the server is not asked who has the nick.
   */
  @Test
  void an_answer_waits_while_somebody_else_has_the_nick() {
    AtomicReference<String> account = new AtomicReference<>("eve");
    FakeIrcServer server =
        server(
            MODERN,
            (fake, line) -> {
              if (line.command().equals("WHOIS")) {
                fake.say(":irc.test 330 midcourse ann " + account.get() + " :is logged in as");
                fake.say(":irc.test 318 midcourse ann :End of WHOIS");
              }
              return line.command().equals("WHOIS");
            });
    IrcChannel channel = joined(server);

    assertThat(IrcParts.send(channel, "ann@ann", "the secret"))
        .isInstanceOf(SendResult.RetryAfter.class);
    account.set("Ann");
    assertThat(IrcParts.send(channel, "ann@ann", "the secret")).isInstanceOf(SendResult.Sent.class);
    assertThat(server.lines().stream().filter(line -> line.contains("the secret"))).hasSize(1);
  }

  /** Seen to fail when an echo that never comes counts as sent. */
  @Test
  void t432_a_message_whose_connection_is_cut_before_the_echo_is_unknown() {
    FakeIrcServer server =
        server(
            MODERN,
            (fake, line) -> {
              if (line.command().equals("PRIVMSG")) {
                fake.cut();
              }
              return line.command().equals("PRIVMSG");
            });
    IrcChannel channel = joined(server);

    assertThat(IrcParts.send(channel, "#dev", "hello")).isInstanceOf(SendResult.Unknown.class);
  }

  /** Seen to fail when it counts as sent. */
  @Test
  void aMessageBeforeTheConnectionIsOpenWaits() {
    FakeIrcServer server = server(MODERN, (_, _) -> true);
    IrcChannel channel = channel(server, Map.of());

    assertThat(IrcParts.send(channel, "#dev", "hello")).isInstanceOf(SendResult.RetryAfter.class);
  }

  @Test
  void aLineThatTheServerRefusesIsRefusedWithItsReason() {
    FakeIrcServer server =
        server(
            MODERN,
            (fake, line) -> {
              if (line.command().equals("PRIVMSG")) {
                fake.say(":irc.test 404 midcourse #dev :Cannot send to channel (+m)");
              }
              return line.command().equals("PRIVMSG");
            });
    IrcChannel channel = joined(server);

    assertThat(IrcParts.send(channel, "#dev", "hello"))
        .isEqualTo(new SendResult.Refused("the server answered 404: Cannot send to channel (+m)"));
  }

  /**
   * The text is hostile too: it must not become a second command.
   *
   * <p>Seen to fail when control characters are sent.
   */
  @Test
  void long_texts_are_cut_between_characters_and_control_characters_are_left_out() {
    FakeIrcServer server = server(MODERN);
    IrcChannel channel = joined(server);
    String text = "👍".repeat(200) + "\r\nQUIT :bye\u0001";

    assertThat(IrcParts.send(channel, "#dev", text)).isInstanceOf(SendResult.Sent.class);

    List<IrcLine> sent =
        server.lines().stream()
            .map(IrcLine::parse)
            .filter(line -> line.command().equals("PRIVMSG"))
            .toList();
    assertThat(sent).hasSizeGreaterThan(2);
    for (IrcLine line : sent) {
      String seen = ":midcourse!~bot@host PRIVMSG #dev :" + line.param(1) + "\r\n";
      assertThat(Utf8.length(seen)).isLessThanOrEqualTo(512);
      assertThat(Utf8.isWhole(line.param(1))).isTrue();
    }
    assertThat(sent.getLast().param(1)).isEqualTo("QUIT :bye");
    assertThat(server.lines()).noneMatch(line -> line.startsWith("QUIT"));
  }

  @Test
  void aChatWhoseNameWouldAddATargetIsRefused() {
    IrcChannel channel = joined(server(MODERN));

    for (String chat : List.of("ann,bob", "ann bob", ":ann", "a\r\nQUIT")) {
      assertThat(IrcParts.send(channel, chat, "x")).isInstanceOf(SendResult.Refused.class);
    }
  }

  /** Seen to fail when a kick is left out. */
  @Test
  void a_kicked_bot_says_so_and_its_messages_wait() {
    FakeIrcServer server = server(MODERN);
    IrcChannel channel = joined(server);

    server.say(":op!u@h KICK #dev midcourse :too loud");

    assertThat(listener.awaitNotice(ChannelNotice.ChatClosed.class, notice -> true).reason())
        .isEqualTo("kicked by op: too loud");
    assertThat(IrcParts.send(channel, "#dev", "hello")).isInstanceOf(SendResult.RetryAfter.class);
  }

  @Test
  void a_nick_in_use_gives_another_and_the_wanted_one_is_still_ours_to_hear() {
    FakeIrcServer server =
        server(
            MODERN,
            (fake, line) -> {
              boolean isTaken = line.command().equals("NICK") && line.param(0).equals("midcourse");
              if (isTaken) {
                fake.say(":irc.test 433 * midcourse :Nickname is already in use");
              }
              return isTaken;
            });
    joined(server);

    server.say("@msgid=a;account=ann :ann!u@h PRIVMSG #dev :midcours_: hello");

    assertThat(listener.awaitMessage("midcours_: hello").bareText()).isEqualTo("hello");
  }

  /** Seen to fail when the password is not redacted. */
  @Test
  void t436_a_refused_login_stops_the_channel_and_shows_no_password() {
    FakeIrcServer server =
        server(
            MODERN,
            (fake, line) -> {
              if (line.command().equals("AUTHENTICATE")) {
                fake.say(
                    line.param(0).equals("PLAIN")
                        ? "AUTHENTICATE +"
                        : ":irc.test 904 * :wrong password hunter2 for bot");
              }
              return line.command().equals("AUTHENTICATE");
            });
    IrcChannel channel = channel(server, Map.of("account", "bot", "password", "hunter2"));

    ChannelNotice.Stopped stopped =
        listener.awaitNotice(ChannelNotice.Stopped.class, notice -> true);

    assertThat(stopped.reason()).contains("refused the login").doesNotContain("hunter2");
    assertThat(channel.status()).isInstanceOf(ChannelStatus.Stopped.class);
    assertThat(channel.status().toString()).doesNotContain("hunter2");
    assertThat(
            new IrcKind()
                .check(
                    IrcParts.config(server.port(), Map.of("account", "bot", "password", "hunter2")),
                    state.context(clock)))
        .singleElement()
        .satisfies(check -> {
          assertThat(check.result()).isEqualTo(ChannelCheck.Result.FAILED);
          assertThat(check.toString()).doesNotContain("hunter2");
        });
  }

  /**
   * A message is in hand once and never comes again: it waits until the store takes it.
   *
   * <p>Seen to fail when a failure of the store is taken for the end, and when a bad message is
   * tried for ever.
   */
  @Test
  void a_message_that_cannot_be_stored_is_kept_and_a_bad_one_blocks_nothing() {
    FakeIrcServer server = server("");
    joined(server);
    listener.failOnce(new IllegalStateException("disk full"));

    server.say(":ann!u@h PRIVMSG #dev :first");
    listener.awaitMessage("first");
    listener.failOnce(Problem.invalid("text", "none", "bad for ever").refused());
    server.say(":ann!u@h PRIVMSG #dev :bad");
    server.say(":ann!u@h PRIVMSG #dev :second");
    listener.awaitMessage("second");

    assertThat(listener.texts()).containsExactly("first", "second");
  }

  /** Seen to fail when the gap is not told. */
  @Test
  void after_a_time_away_a_server_without_history_gives_a_notice_of_the_gap() {
    FakeIrcServer server = server("");
    joined(server);
    server.say(":ann!u@h PRIVMSG #dev :before");
    listener.awaitMessage("before");
    server.cut();
    await().atMost(TIMEOUT).until(() -> state.get("alive").isPresent());
    state.put("alive", NOW.minus(Duration.ofHours(1)).toString());

    assertThat(
            listener
                .awaitNotice(ChannelNotice.Gap.class, notice -> notice.missing().equals("messages"))
                .from())
        .isBefore(NOW);
    assertThat(server.connections()).isGreaterThan(1);
  }

  /**
   * Pages through the history; the position moves only when everything before it is stored.
   *
   * <p>Seen to fail when only the first page is fetched.
   */
  @Test
  void what_was_written_while_the_hub_was_away_is_fetched_page_by_page() {
    state.put("position", NOW.minus(Duration.ofHours(1)).toString());
    List<String> asked = new ArrayList<>();
    FakeIrcServer server =
        server(
            MODERN,
            (fake, line) -> {
              if (!line.command().equals("CHATHISTORY")) {
                return false;
              }
              asked.add(line.param(0) + " " + line.param(1) + " " + line.param(2));
              if (line.param(0).equals("TARGETS")) {
                fake.say(":irc.test BATCH +t draft/chathistory-targets");
                fake.say("@batch=t :irc.test CHATHISTORY TARGETS ann 2026-03-01T09:10:00.000Z");
                fake.say(":irc.test BATCH -t");
              } else {
                String target = line.param(1);
                int page = line.param(2).startsWith("msgid=") ? 2 : 1;
                fake.say(":irc.test BATCH +h chathistory " + target);
                for (int i = 1; i <= 3 - page; i++) {
                  fake.say(
                      "@batch=h;account=ann;msgid=%s-%d-%d;time=2026-03-01T09:1%d:00.000Z :ann!u@h PRIVMSG %s :%s %d %d"
                          .formatted(
                              target.replace("#", ""),
                              page,
                              i,
                              page,
                              target.equals("ann") ? "midcourse" : target,
                              target,
                              page,
                              i));
                }
                fake.say(":irc.test BATCH -h");
              }
              return true;
            });
    joined(server);

    await()
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(listener.texts())
                .containsExactlyInAnyOrder(
                    "#dev 1 1", "#dev 1 2", "#dev 2 1", "ann 1 1", "ann 1 2", "ann 2 1"));
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(state.get("position")).contains("2026-03-01T09:12:00Z"));
    assertThat(asked).anyMatch(line -> line.startsWith("AFTER #dev msgid="));
    assertThat(listener.notices()).noneMatch(ChannelNotice.Gap.class::isInstance);
  }

  @Test
  void ctcpNoticesServersAndOurOwnLinesAreNotMessages() {
    FakeIrcServer server = server(MODERN);
    joined(server);

    server.say(":ann!u@h PRIVMSG midcourse :\u0001VERSION\u0001");
    server.say(":ann!u@h NOTICE #dev :automatic");
    server.say(":irc.test PRIVMSG #dev :from the server");
    server.say(":midcourse!~bot@host PRIVMSG #dev :ours");
    server.say("@bot;msgid=z :robot!u@h PRIVMSG #dev :a program");
    server.say(":ann!u@h PRIVMSG #dev :last");
    listener.awaitMessage("last");

    assertThat(listener.texts()).containsExactly("a program", "last");
    assertThat(listener.messages().getFirst().sender().kind()).isEqualTo(SenderKind.BOT);
    assertThat(server.lines()).noneMatch(line -> line.contains("VERSION"));
  }

  @Test
  void aLineWithoutEndAndOtherNonsenseDoNotStopTheChannel() {
    FakeIrcServer server = server(MODERN);
    joined(server);

    server.say("x".repeat(100_000));
    server.say(new byte[] {':', 'a', (byte) 0xff, '!', 'u', ' ', '\r', '\n'});
    server.say("@" + ";".repeat(5_000) + " : PRIVMSG");
    server.say("@msgid=ok :ann!u@h PRIVMSG #dev :still here");

    listener.awaitMessage("still here");
  }

  @Test
  void aServerElsewhereNeedsTls() {
    assertThatThrownBy(() ->
            new IrcKind()
                .open(
                    IrcParts.config(1, Map.of("server", "irc.example.org")), state.context(clock)))
        .hasMessageContaining("tls");
    assertThat(Optional.of(new IrcKind().name())).contains("irc");
  }
}
