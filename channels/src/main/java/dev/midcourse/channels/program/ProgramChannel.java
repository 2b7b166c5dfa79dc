package dev.midcourse.channels.program;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.wire.ChannelUpdate;
import dev.midcourse.channels.wire.RequestWriter;
import dev.midcourse.channels.wire.UpdateReader;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The channel of a program that Midcourse keeps running. An update is acknowledged to the program
 * when it is stored; a request that the program does not answer has an unknown result.
 */
final class ProgramChannel implements Channel {
  private static final Logger LOG = System.getLogger(ProgramChannel.class.getName());
  private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration RESULT_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(1);

  private final ProgramSettings settings;
  private final ChannelContext context;
  private final ReceiveLoop loop;
  private final Map<String, CompletableFuture<SendResult>> pending = new ConcurrentHashMap<>();
  private volatile Optional<ChannelListener> listener = Optional.empty();
  private volatile Optional<ProgramProcess> running = Optional.empty();
  private volatile Optional<Identity> account = Optional.empty();

  ProgramChannel(ProgramSettings settings, ChannelContext context) {
    this.settings = settings;
    this.context = context;
    this.loop =
        new ReceiveLoop(
            settings.name(), context.clock(), context.locks(), "program:" + settings.name());
  }

  @Override
  public ChannelName name() {
    return settings.name();
  }

  @Override
  public Optional<Identity> identity() {
    return account;
  }

  @Override
  public ChannelCapabilities capabilities() {
    return settings.capabilities();
  }

  @Override
  public ChannelStatus status() {
    return loop.status();
  }

  @Override
  public void start(ChannelListener to) {
    listener = Optional.of(to);
    loop.start(this::run, to);
  }

  private void run(ReceiveLoop.Connection connection)
      throws IOException, InterruptedException, PermanentFailureException {
    try (ProgramProcess program = ProgramProcess.start(settings)) {
      awaitHello(program);
      running = Optional.of(program);
      connection.opened();
      while (connection.isWanted()) {
        Optional<String> line = program.next(LINE_INTERVAL);
        if (line.isPresent()) {
          handle(program, ProgramLine.read(line.get()));
        }
      }
    } finally {
      running = Optional.empty();
      pending
          .values()
          .forEach(result ->
              result.complete(new SendResult.Unknown("the program ended before it answered")));
    }
  }

  private void awaitHello(ProgramProcess program)
      throws IOException, InterruptedException, PermanentFailureException {
    Instant until = context.clock().instant().plus(HELLO_TIMEOUT);
    while (context.clock().instant().isBefore(until)) {
      Optional<String> line = program.next(LINE_INTERVAL);
      if (line.isPresent()) {
        ProgramLine first = ProgramLine.read(line.get());
        if (first instanceof ProgramLine.Hello(Optional<String> who)) {
          account = who.flatMap(this::identityOf);
          return;
        }
        if (first instanceof ProgramLine.Stopped(String reason, String remedy)) {
          throw new PermanentFailureException(reason, remedy);
        }
        throw new IOException("the first line of the program is not {\"type\": \"hello\"}");
      }
    }
    throw new IOException(
        "the program did not say hello within " + HELLO_TIMEOUT.toSeconds() + " s");
  }

  private Optional<Identity> identityOf(String handle) {
    try {
      return Optional.of(new Identity(settings.name(), handle));
    } catch (RefusedException noHandle) {
      return Optional.empty();
    }
  }

  private void handle(ProgramProcess program, ProgramLine line)
      throws IOException, PermanentFailureException {
    switch (line) {
      case ProgramLine.Update(String ack, String update) -> program.write(receive(ack, update));
      case ProgramLine.Result(String id, JsonValue.Obj fields) ->
          Optional.ofNullable(pending.get(id)).ifPresent(it -> it.complete(result(id, fields)));
      case ProgramLine.Notice(JsonValue.Obj fields) ->
          notice(fields).ifPresent(it -> listener.orElseThrow().notice(settings.name(), it));
      case ProgramLine.Stopped(String reason, String remedy) ->
          throw new PermanentFailureException(reason, remedy);
      case ProgramLine.Other(String reason) ->
          LOG.log(
              Level.WARNING, "A line of the channel program {0} is ignored: {1}.", name(), reason);
      case ProgramLine.Hello _, ProgramLine.Pong _ -> {}
    }
  }

  /** Stores the update; returns the line that answers it. */
  private String receive(String ack, String update) {
    ChannelListener to = listener.orElseThrow();
    JsonValue.Obj answer = JsonValue.Obj.EMPTY.with("ack", ack);
    try {
      Optional<String> text =
          switch (new UpdateReader(settings.name(), context.clock().instant())
              .withFiles()
              .read(update)) {
            case ChannelUpdate.Message(var message) -> {
              to.receive(message);
              yield Optional.<String>empty();
            }
            case ChannelUpdate.Click(var click) -> Optional.of(to.click(click));
          };
      return JsonWriter.compact(answer.with("type", "stored").with("text", text));
    } catch (RefusedException e) {
      boolean later = e.problem().code() == Code.UNAVAILABLE;
      return JsonWriter.compact(
          answer
              .with("type", later ? "send_again" : "refused")
              .with("reason", e.problem().message()));
    } catch (IllegalArgumentException e) {
      return JsonWriter.compact(
          answer.with("type", "refused").with("reason", String.valueOf(e.getMessage())));
    }
  }

  static SendResult result(String id, JsonValue.Obj fields) {
    String reason = fields.string("reason").orElse("the program gave no reason");
    return switch (fields.string("result").orElse("")) {
      case "sent" -> new SendResult.Sent(fields.string("message_id").orElse(id));
      case "retry" ->
          new SendResult.RetryAfter(
              PlatformResponse.seconds(fields.decimal("after").orElse(0.0)), reason);
      case "refused" -> new SendResult.Refused(reason);
      default -> new SendResult.Unknown(reason);
    };
  }

  static Optional<ChannelNotice> notice(JsonValue.Obj fields) {
    String chat = fields.string("chat").orElse("");
    return switch (fields.string("notice").orElse("")) {
      case "chat_moved" -> fields.string("to").map(to -> new ChannelNotice.ChatMoved(chat, to));
      case "chat_closed" ->
          Optional.of(new ChannelNotice.ChatClosed(chat, fields.string("reason").orElse("closed")));
      case "chat_opened" -> Optional.of(new ChannelNotice.ChatOpened(chat, fields.string("name")));
      case "gap" ->
          instant(fields, "from")
              .flatMap(from ->
                  instant(fields, "until")
                      .map(until ->
                          new ChannelNotice.Gap(
                              fields.string("chat"),
                              from,
                              until,
                              fields.string("missing").orElse("messages"))));
      default -> Optional.empty();
    };
  }

  private static Optional<Instant> instant(JsonValue.Obj fields, String name) {
    try {
      return fields.string(name).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  @Override
  public SendResult send(OutboundId id, ChannelRequest request) {
    Optional<ProgramProcess> program = running;
    if (program.isEmpty()) {
      return new SendResult.RetryAfter(Duration.ZERO, "the program of the channel does not run");
    }
    CompletableFuture<SendResult> result = new CompletableFuture<>();
    pending.put(id.value(), result);
    try {
      JsonValue.Obj body = JsonReader.readObject(RequestWriter.write(id, request));
      if (request instanceof ChannelRequest.SendFile file) {
        body = body.with("path", file.file().toString());
      }
      program
          .get()
          .write(
              JsonWriter.compact(
                  JsonValue.Obj.EMPTY.with("type", "request").with("request", body)));
      return result.get(RESULT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      return new SendResult.Unknown("the program does not take requests: " + e.getMessage());
    } catch (TimeoutException e) {
      return new SendResult.Unknown(
          "the program did not answer within " + RESULT_TIMEOUT.toSeconds() + " s");
    } catch (ExecutionException e) {
      return new SendResult.Unknown(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub was closed while it waited for the program");
    } finally {
      pending.remove(id.value());
    }
  }

  /** Copies a file that the program has put into its folder. */
  @Override
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    Path file = settings.folder().resolve(attachment.reference()).toRealPath();
    if (!file.startsWith(settings.folder().toRealPath()) || !Files.isRegularFile(file)) {
      throw new IOException("the file is not a file in the folder of the channel");
    }
    if (Files.size(file) > maxBytes) {
      throw new IOException("the file has more than " + maxBytes + " bytes");
    }
    Files.copy(file, target);
  }

  @Override
  public void showTyping(ChatAddress to) {
    running.ifPresent(program -> {
      try {
        program.write(
            JsonWriter.compact(
                JsonValue.Obj.EMPTY
                    .with("type", "typing")
                    .with("chat", to.chat())
                    .with("thread", to.thread())));
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "The channel program {0} takes no line.", name());
      }
    });
  }

  @Override
  public void close() {
    loop.close();
  }
}
