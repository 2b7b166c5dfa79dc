package dev.midcourse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.catalogue.Channels;
import dev.midcourse.channels.outbox.OutboxSettings;
import dev.midcourse.channels.outbox.UnsentHandler;
import dev.midcourse.channels.terminal.TerminalChannel;
import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.id.Ids;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.hub.api.TerminalChatRoutes;
import dev.midcourse.hub.api.access.DenialLog;
import dev.midcourse.hub.http.ApiRequestHandler;
import dev.midcourse.hub.http.HttpListener;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.RouteTable;
import dev.midcourse.hub.http.server.Authenticator;
import dev.midcourse.hub.http.server.Endpoint;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code midcourse chat} with the real channel, sender and routes on the socket of a hub. */
class ChatTest {
  private static final InstantSource CLOCK = InstantSource.system();

  private final List<InboundMessage> received = new CopyOnWriteArrayList<>();
  private final List<ButtonClick> clicks = new CopyOnWriteArrayList<>();
  private final Ids ids = new Ids(new SplittableRandom(1));
  private final List<Session> sessions = new ArrayList<>();
  @TempDir Path data;
  private Ledger ledger;
  private Channels channels;
  private HttpListener listener;
  private volatile Caller caller = new Caller.Main("test");

  @BeforeEach
  void open() {
    ledger = SqliteLedger.open(data.resolve("midcourse.db"));
    start();
  }

  private void start() {
    TerminalChannel terminal = new TerminalChannel(ledger, data, CLOCK);
    channels =
        new Channels(
            List.<Channel>of(terminal), ledger, CLOCK, OutboxSettings.in(data), UnsentHandler.NONE);
    channels.start(new Recorder());
    listener =
        HttpListener.bind(
            new Endpoint(
                "socket", UnixDomainSocketAddress.of(data.resolve("hub.sock")), Set.of(), 100));
    List<Route<?, ?>> routes =
        new ArrayList<>(
            new TerminalChatRoutes(ledger, new DenialLog(ledger, CLOCK), terminal).routes());
    routes.add(Route.get("/api/v1/health", "").by(_ -> ApiResponse.ok(Map.of("status", "ok"))));
    listener.open(
        new ApiRequestHandler(
            new RouteTable(routes), (path, match) -> Optional.empty(), (who, group) -> who),
        new Callers());
  }

  @AfterEach
  void close() throws Exception {
    for (Session session : sessions) {
      session.leave();
    }
    listener.close();
    channels.close();
    ledger.close();
  }

  private final class Callers implements Authenticator {
    @Override
    public ConnectionAuthenticator accepted(SocketChannel channel) {
      return authorization -> caller;
    }
  }

  private final class Recorder implements ChannelListener {
    @Override
    public void receive(InboundMessage message) {
      received.add(message);
    }

    @Override
    public String click(ButtonClick click) {
      clicks.add(click);
      return "You chose " + click.button() + ".";
    }
  }

  /** {@code midcourse chat} in a pipe whose input stays open. */
  private final class Session {
    private final PipedOutputStream keyboard = new PipedOutputStream();
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final ByteArrayOutputStream notes = new ByteArrayOutputStream();
    private final Thread thread;
    private volatile Optional<ExitCode> code = Optional.empty();

    Session(String... words) throws IOException {
      ShellContext shell =
          new ShellContext(
              new PipedInputStream(keyboard),
              new PrintStream(screen, true, StandardCharsets.UTF_8),
              new PrintStream(notes, true, StandardCharsets.UTF_8),
              ShellContext.Terminals.NONE,
              Map.of("USER", "ann"),
              data,
              data,
              Optional.empty(),
              CLOCK);
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(() -> code = Optional.of(Main.run(List.of(words), shell)));
      sessions.add(this);
    }

    void type(String line) throws IOException {
      keyboard.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      keyboard.flush();
    }

    String shown() {
      return screen.toString(StandardCharsets.UTF_8);
    }

    String notes() {
      return notes.toString(StandardCharsets.UTF_8);
    }

    /**
     * Writes a first message and waits until it is shown. In a pipe, only messages that come after
     * the start are printed, so a message of another person could come too early.
     */
    void join(String shown) throws IOException {
      type("here");
      awaitShown(shown);
    }

    void awaitShown(String text) {
      await().untilAsserted(() -> assertThat(shown()).as(notes()).contains(text));
    }

    ExitCode leave() throws Exception {
      keyboard.close();
      thread.join();
      return code.orElseThrow();
    }
  }

  @Test
  void a_typed_line_is_a_message_and_the_answer_appears() throws Exception {
    Session ann = new Session("chat");
    ann.type("fix the login");
    await().until(() -> received.size() == 1);
    InboundMessage message = received.getFirst();
    assertThat(message.sender().identity().orElseThrow().toString()).isEqualTo("terminal:ann");
    assertThat(message.ref().chat()).isEqualTo("user:ann");
    assertThat(message.mentioned()).isTrue();
    ann.awaitShown("[1] ann: fix the login");

    ChatAddress chat = address(message);
    put(o ->
        o.reaction(
            chat,
            message.ref().message(),
            MessageStatus.RUNNING,
            Optional.empty(),
            Optional.empty()));
    ann.awaitShown("[1] ✓ running");
    put(o ->
        o.text(chat, "Done.\nAll green.", Optional.of(message.ref().message()), Optional.empty()));
    ann.awaitShown("[2] midcourse to [1]: Done.\n    All green.\n");
    assertThat(ann.leave()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void a_reply_an_edit_and_a_deletion_name_their_message() throws Exception {
    Session ann = new Session("chat");
    ann.type("one");
    ann.awaitShown("[1] ann: one");
    ann.type("/reply 1 two");
    ann.awaitShown("[2] ann to [1]: two");
    ann.type("/edit 1 uno");
    ann.awaitShown("[1] ann: changed: uno");
    ann.type("/delete 2");
    ann.awaitShown("[2] was deleted");
    ann.type("/edit 9 x");
    await().untilAsserted(() -> assertThat(ann.notes()).contains("there is no message 9 here"));

    String first = received.getFirst().ref().message();
    assertThat(received)
        .extracting(InboundMessage::kind)
        .containsExactly(
            InboundKind.MESSAGE, InboundKind.MESSAGE, InboundKind.EDIT, InboundKind.DELETION);
    assertThat(received.get(1).replyTo().orElseThrow().message()).isEqualTo(first);
    assertThat(received.get(2).ref().message()).isEqualTo(first);
  }

  @Test
  void a_card_is_answered_by_the_number_of_a_button_and_closed_in_place() throws Exception {
    Session ann = new Session("chat");
    ann.type("hello");
    ann.awaitShown("[1] ann: hello");
    ChatAddress chat = address(received.getFirst());
    OutboundId card =
        put(o ->
            o.card(
                chat,
                new Card(
                    "Approval",
                    "Allow Bob?",
                    List.of(new Button("y", "Yes"), new Button("n", "No"))),
                Optional.empty()));
    ann.awaitShown("    /1  Yes\n    /2  No\n");
    ann.type("/3");
    await().untilAsserted(() -> assertThat(ann.notes()).contains("the answers /1 to /2"));
    ann.type("/2");
    await().untilAsserted(() -> assertThat(ann.notes()).contains("You chose n."));
    assertThat(clicks.getFirst().card().message()).isEqualTo(card.value());
    put(o -> {
      o.closeCard(card, "Denied.");
      return card;
    });
    ann.awaitShown("changed: Denied.");
    ann.type("/1");
    await().untilAsserted(() -> assertThat(ann.notes()).contains("no card waits"));
  }

  @Test
  void people_in_a_room_see_each_other_and_mention_the_workers() throws Exception {
    Session ann = new Session("chat", "--room", "team", "--thread", "t1");
    ann.join("[1] ann (t1): here");
    Session bob = new Session("chat", "--room", "team", "--as", "bob");
    bob.join("[2] bob: here");
    ann.type("just talking");
    bob.awaitShown("[3] ann (t1): just talking");
    bob.type("@midcourse look at this");
    ann.awaitShown("[4] bob: @midcourse look at this");
    assertThat(received.get(2).mentioned()).isFalse();
    assertThat(received.get(2).thread()).contains("t1");
    assertThat(received.get(3).mentioned()).isTrue();
    assertThat(received.get(3).bareText()).isEqualTo("look at this");
    assertThat(received.get(3).sender().name()).isEqualTo("bob");
  }

  @Test
  void nobody_changes_a_message_of_another() throws Exception {
    Session ann = new Session("chat", "--room", "team");
    Session bob = new Session("chat", "--room", "team", "--as", "bob");
    bob.join("[1] bob: here");
    ann.type("mine");
    bob.awaitShown("[2] ann: mine");
    bob.type("/edit 2 yours");
    await().untilAsserted(() -> assertThat(bob.notes()).contains("no such message of bob"));
    assertThat(received).hasSize(2);
  }

  @Test
  void after_a_restart_of_the_hub_the_answers_are_shown_once() throws Exception {
    Session ann = new Session("chat");
    ann.type("hello");
    ann.awaitShown("[1] ann: hello");
    ChatAddress chat = address(received.getFirst());
    put(o -> o.text(chat, "First answer.", Optional.empty(), Optional.empty()));
    ann.awaitShown("First answer.");
    listener.close();
    channels.close();
    Files.delete(data.resolve("hub.sock"));
    start();
    await().untilAsserted(() -> assertThat(ann.notes()).contains("The hub answers again."));
    put(o -> o.text(chat, "Second answer.", Optional.empty(), Optional.empty()));
    ann.awaitShown("Second answer.");
    assertThat(ann.shown().split("First answer\\.", -1)).hasSize(2);
  }

  @Test
  void an_agent_may_not_use_the_channel() throws Exception {
    caller = new Caller.Unauthenticated("no token");
    Session ann = new Session("chat");
    assertThat(ann.leave()).isNotEqualTo(ExitCode.DONE);
    assertThat(received).isEmpty();
  }

  private static ChatAddress address(InboundMessage message) {
    return new ChatAddress(message.ref().channel(), message.ref().chat(), message.thread());
  }

  private <T> T put(Function<OutboxWriter, T> work) {
    T result = ledger.write(tx -> work.apply(new OutboxWriter(tx.chats(), ids, CLOCK.instant())));
    channels.outbox().wake(TerminalChannel.NAME);
    return result;
  }
}
