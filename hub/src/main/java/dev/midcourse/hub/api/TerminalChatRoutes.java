package dev.midcourse.hub.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.terminal.TerminalChannel;
import dev.midcourse.channels.terminal.TerminalMessage;
import dev.midcourse.channels.terminal.TerminalUser;
import dev.midcourse.channels.terminal.TerminalView;
import dev.midcourse.core.FieldDoc;
import dev.midcourse.core.authority.Action;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.access.DenialLog;
import dev.midcourse.hub.http.route.ApiCall;
import dev.midcourse.hub.http.route.ApiResponse;
import dev.midcourse.hub.http.route.Route;
import dev.midcourse.hub.http.route.Route.Nothing;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The HTTP routes of the terminal channel. Only a caller who may do everything gets in, and such a
 * caller may use any name.
 */
public final class TerminalChatRoutes {
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final String WRITE = "write in the terminal channel";
  private static final String READ = "read the terminal channel";
  private static final byte[] READY = "data: {\"kind\": \"ready\"}\n\n".getBytes(UTF_8);
  private static final byte[] ALIVE = ": alive\n\n".getBytes(UTF_8);

  private final AccessControl accessControl;
  private final TerminalChannel channel;

  public TerminalChatRoutes(Ledger ledger, DenialLog denials, TerminalChannel channel) {
    this.accessControl = new AccessControl(ledger, denials);
    this.channel = channel;
  }

  /** A new message. */
  public record Written(
      @FieldDoc("the name of the writer") String user,
      @FieldDoc("the room; without it the chat with Midcourse alone") Optional<String> room,
      @FieldDoc("the thread of the room") Optional<String> thread,
      @FieldDoc("what is said") String text,
      @FieldDoc("the id of the message that it answers") Optional<String> replyTo,
      @FieldDoc("8 to 64 random letters and digits; again: no effect") String key) {}

  /** A new text, or none for a deletion. */
  public record Changed(
      @FieldDoc("the name of the writer") String user,
      @FieldDoc("the room; without it the chat with Midcourse alone") Optional<String> room,
      @FieldDoc("the id of the message") String message,
      @FieldDoc("the new text; without it the message is deleted") Optional<String> text,
      @FieldDoc("8 to 64 random letters and digits; again: no effect") String key) {}

  /** A click on a button. */
  public record Clicked(
      @FieldDoc("the name of the person") String user,
      @FieldDoc("the room; without it the chat with Midcourse alone") Optional<String> room,
      @FieldDoc("the id of the card") String message,
      @FieldDoc("the id of the button") String button,
      @FieldDoc("8 to 64 random letters and digits; again: no effect") String key) {}

  /** The chat to show. */
  public record Shown(
      @FieldDoc("the name of the reader") String user,
      @FieldDoc("the room; without it the chat with Midcourse alone") Optional<String> room) {}

  /** The id of a stored message. */
  public record Stored(String message) {}

  /** The text for the person who clicked. */
  public record ClickAnswer(String text) {}

  /** A message of the stream. */
  public record ShownMessage(String kind, TerminalMessage message) {}

  public List<Route<?, ?>> routes() {
    return List.of(
        Route.get("/api/v1/terminal/events", "The messages of a chat of the terminal channel.")
            .with(Shown.class)
            .answers(
                200,
                "server-sent events: each message, {\"kind\": \"ready\"}, then each one that is"
                    + " new or has changed",
                "text/event-stream",
                "data: {\"kind\": \"ready\"}\n\n")
            .by(this::show),
        Route.post("/api/v1/terminal/messages", "Write in the terminal channel.")
            .takes(
                Written.class,
                new Written(
                    "ann",
                    Optional.empty(),
                    Optional.empty(),
                    "Fix the login.",
                    Optional.empty(),
                    "k3x9v7m2"))
            .answers(201, "the message is stored", new Stored("k3x9v7m2"))
            .by(this::write),
        Route.post("/api/v1/terminal/changes", "Edit or delete an own message.")
            .takes(
                Changed.class,
                new Changed(
                    "ann",
                    Optional.empty(),
                    "k3x9v7m2",
                    Optional.of("Fix the log-in."),
                    "p4w8n6t2"))
            .answers(200, "the change is stored", new Stored("k3x9v7m2"))
            .by(this::change),
        Route.post("/api/v1/terminal/clicks", "Choose a button of a card.")
            .takes(
                Clicked.class, new Clicked("ann", Optional.empty(), "c7b5h9s4", "yes", "q2z6j8d3"))
            .answers(200, "the text for the person", new ClickAnswer("Allowed."))
            .by(this::click));
  }

  private ApiResponse write(ApiCall<Written, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(WRITE));
    Written body = call.body();
    return ApiResponse.created(
        new Stored(
            channel.write(
                new TerminalUser(body.user(), body.room()),
                new TerminalChannel.NewMessage(
                    body.key(), body.text(), body.thread(), body.replyTo()))));
  }

  private ApiResponse change(ApiCall<Changed, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(WRITE));
    Changed body = call.body();
    TerminalUser user = new TerminalUser(body.user(), body.room());
    body.text()
        .ifPresentOrElse(
            text -> channel.edit(user, body.message(), text, body.key()),
            () -> channel.delete(user, body.message(), body.key()));
    return ApiResponse.ok(new Stored(body.message()));
  }

  private ApiResponse click(ApiCall<Clicked, Nothing> call) {
    accessControl.require(call.caller(), new Action.Keep(WRITE));
    Clicked body = call.body();
    return ApiResponse.ok(
        new ClickAnswer(
            channel.click(
                new TerminalUser(body.user(), body.room()),
                body.message(),
                body.button(),
                body.key())));
  }

  private ApiResponse show(ApiCall<Nothing, Shown> call) {
    accessControl.require(call.caller(), new Action.Keep(READ));
    TerminalUser user = new TerminalUser(call.query().user(), call.query().room());
    return new ApiResponse.Flow(
        "text/event-stream", OptionalLong.empty(), Map.of(), out -> tell(out, user));
  }

  /** Writes messages until a write shows that the client is gone, or the client is too slow. */
  private void tell(OutputStream out, TerminalUser user) throws IOException, InterruptedException {
    try (TerminalView view = channel.view(user)) {
      for (TerminalMessage message : view.messages()) {
        out.write(frame(message));
      }
      say(out, READY);
      while (!view.hasMissed()) {
        Optional<TerminalMessage> next = view.next(HEARTBEAT);
        say(out, next.map(TerminalChatRoutes::frame).orElse(ALIVE));
      }
    }
  }

  private static byte[] frame(TerminalMessage message) {
    return ("data: " + JsonCodec.write(new ShownMessage("message", message)) + "\n\n")
        .getBytes(UTF_8);
  }

  private static void say(OutputStream out, byte[] text) throws IOException {
    out.write(text);
    out.flush();
  }
}
