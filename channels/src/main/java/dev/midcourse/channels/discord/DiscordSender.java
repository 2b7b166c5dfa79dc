package dev.midcourse.channels.discord;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordRequestWriter;
import dev.midcourse.channels.discord.api.DiscordRoute;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.channels.http.MultipartBody;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import java.io.FileNotFoundException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Carries out requests at Discord and says what is known about each result. */
final class DiscordSender {
  /** A chat with this before the id of a person is the direct messages with that person. */
  static final String PERSON = "user:";

  private static final int TOO_MANY_EDITS = 30_046;
  private static final int ARCHIVED = 50_083;
  private static final int MAX_ENTRIES = 1_000;

  private final DiscordClient client;
  private final RepeatedSends repeated;
  private final ReactionWriter reactions;

  /** Both are guarded by this object. */
  private final Map<String, String> directChats = bounded();

  /** The messages that took the place of those that Discord no longer lets us edit. */
  private final Map<String, String> successors = bounded();

  private volatile String bot = "";

  /** Where a request goes, or why it cannot go anywhere. */
  private sealed interface Target {
    record Known(String channel) implements Target {}

    record None(SendResult result) implements Target {}
  }

  DiscordSender(DiscordClient client, InstantSource clock, RepeatedSends repeated) {
    this.client = client;
    this.repeated = repeated;
    this.reactions = new ReactionWriter(client, clock);
  }

  void setBot(String id) {
    bot = id;
  }

  SendResult send(OutboundId id, ChannelRequest request) {
    try {
      return switch (target(request.to())) {
        case Target.Known(String channel) -> send(id, channel, request);
        case Target.None(SendResult result) -> result;
      };
    } catch (PlatformException e) {
      if (e.mayHaveArrived()) {
        repeated.unknown(id);
      }
      return e.sendResult();
    } catch (FileNotFoundException e) {
      return new SendResult.Refused("the file cannot be read");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub was closed while it waited for the answer");
    }
  }

  private SendResult send(OutboundId id, String channel, ChannelRequest request)
      throws PlatformException, FileNotFoundException, InterruptedException {
    return switch (request) {
      case ChannelRequest.SendText(var _, String text, var replyTo) ->
          create(id, channel, DiscordRequestWriter.message(id, text, replyTo));
      case ChannelRequest.SendCard(var _, String title, String text, var buttons) ->
          create(
              id,
              channel,
              DiscordRequestWriter.card(id, DiscordRequestWriter.cardText(title, text), buttons));
      case ChannelRequest.SendFile file -> upload(id, channel, file);
      case ChannelRequest.EditText(var _, String message, String text) ->
          edit(id, channel, message, DiscordRequestWriter.edit(text));
      case ChannelRequest.CloseCard(var _, String message, String text) ->
          edit(id, channel, message, DiscordRequestWriter.closedCard(text));
      case ChannelRequest.SetReaction(var to, String message, var status) ->
          Snowflake.isValid(message)
              ? reactions.set(channelOf(to, channel, message), message, status)
              : invalidMessage();
    };
  }

  private static SendResult invalidMessage() {
    return new SendResult.Refused("the message has no id of Discord");
  }

  private SendResult create(OutboundId id, String channel, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    Optional<SendResult> before = earlier(id, channel, body);
    if (before.isPresent()) {
      return before.get();
    }
    return kept(id, client.call("POST", "/channels/" + channel + "/messages", body).sendResult());
  }

  private SendResult upload(OutboundId id, String channel, ChannelRequest.SendFile file)
      throws PlatformException, FileNotFoundException, InterruptedException {
    JsonValue.Obj body =
        DiscordRequestWriter.message(id, file.caption().orElse(""), Optional.empty());
    Optional<SendResult> before = earlier(id, channel, body);
    if (before.isPresent()) {
      return before.get();
    }
    MultipartBody parts =
        new MultipartBody()
            .text("payload_json", "application/json", body.toString())
            .file(
                "files[0]",
                FileName.safe(file.name()).value(),
                "application/octet-stream",
                file.file());
    return kept(id, client.upload("/channels/" + channel + "/messages", parts).sendResult());
  }

  private SendResult kept(OutboundId id, SendResult result) {
    switch (result) {
      case SendResult.Unknown _ -> repeated.unknown(id);
      case SendResult.Sent _, SendResult.Refused _ -> repeated.known(id);
      case SendResult.RetryAfter _ -> {}
    }
    return result;
  }

  /** Looks for the message in the history if an earlier try may have sent it. */
  private Optional<SendResult> earlier(OutboundId id, String channel, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    Optional<Instant> since = repeated.mayBeSentSince(id, channel);
    if (since.isEmpty()) {
      return Optional.empty();
    }
    String path = "/channels/" + channel + "/messages?limit=100&after=" + Snowflake.at(since.get());
    return switch (client.get(path)) {
      case DiscordAnswer.Done(JsonValue.Arr all) ->
          all.objects().stream()
              .filter(message -> isSame(message, body))
              .findFirst()
              .flatMap(message -> message.string("id"))
              .map(SendResult.Sent::new);
      case DiscordAnswer.Limited limited -> Optional.of(limited.sendResult());
      case DiscordAnswer answer -> Optional.empty();
    };
  }

  private boolean isSame(JsonValue.Obj message, JsonValue.Obj body) {
    boolean isOurs = message.object("author").string("id").filter(bot::equals).isPresent();
    Optional<String> nonce = message.string("nonce");
    if (!isOurs || nonce.isPresent()) {
      return isOurs && nonce.equals(body.string("nonce"));
    }
    return message.string("content").equals(body.string("content"))
        && message
            .object("message_reference")
            .string("message_id")
            .equals(body.object("message_reference").string("message_id"));
  }

  private SendResult edit(OutboundId id, String channel, String message, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    if (!Snowflake.isValid(message)) {
      return invalidMessage();
    }
    String newest = successor(message);
    DiscordAnswer answer = patch(channel, newest, body);
    if (answer instanceof DiscordAnswer.Failed failed && failed.code() == ARCHIVED) {
      var _ =
          client.call("PATCH", "/channels/" + channel, JsonValue.object().with("archived", false));
      answer = patch(channel, newest, body);
    }
    boolean isCapped =
        answer instanceof DiscordAnswer.Failed failed && failed.code() == TOO_MANY_EDITS;
    if (!isCapped) {
      return answer.sendResult();
    }
    SendResult created =
        create(
            id,
            channel,
            DiscordRequestWriter.message(
                id, body.string("content").orElse(""), Optional.of(message)));
    if (created instanceof SendResult.Sent(String successor)) {
      putSuccessor(message, successor);
    }
    return created;
  }

  private DiscordAnswer patch(String channel, String message, JsonValue.Obj body)
      throws PlatformException, InterruptedException {
    return client.call("PATCH", "/channels/" + channel + "/messages/" + message, body);
  }

  private synchronized String successor(String message) {
    return successors.getOrDefault(message, message);
  }

  private synchronized void putSuccessor(String message, String successor) {
    successors.put(message, successor);
  }

  /** A thread has the id of the message that began it, and that message is in its parent. */
  private static String channelOf(ChatAddress to, String channel, String message) {
    return message.equals(channel) && Snowflake.isValid(to.chat()) ? to.chat() : channel;
  }

  private Target target(ChatAddress to) throws PlatformException, InterruptedException {
    if (to.thread().isEmpty() && to.chat().startsWith(PERSON)) {
      return direct(to.chat().substring(PERSON.length()));
    }
    String channel = to.thread().orElse(to.chat());
    return Snowflake.isValid(channel)
        ? new Target.Known(channel)
        : new Target.None(new SendResult.Refused("the chat has no id of Discord"));
  }

  private Target direct(String person) throws PlatformException, InterruptedException {
    if (!Snowflake.isValid(person)) {
      return new Target.None(new SendResult.Refused("the person has no id of Discord"));
    }
    synchronized (this) {
      String known = directChats.get(person);
      if (known != null) {
        return new Target.Known(known);
      }
    }
    DiscordAnswer answer =
        client.call("POST", "/users/@me/channels", JsonValue.object().with("recipient_id", person));
    Optional<String> opened =
        answer instanceof DiscordAnswer.Done done
            ? done.object().string("id").filter(Snowflake::isValid)
            : Optional.empty();
    if (opened.isEmpty()) {
      return new Target.None(
          answer.sendResult() instanceof SendResult.Unknown(String reason)
              ? new SendResult.RetryAfter(java.time.Duration.ZERO, reason)
              : answer.sendResult());
    }
    synchronized (this) {
      directChats.put(person, opened.get());
    }
    return new Target.Known(opened.get());
  }

  void showTyping(ChatAddress to) {
    try {
      if (target(to) instanceof Target.Known(String channel)) {
        var _ =
            client.call(
                new DiscordRoute("POST", "/channels/" + channel + "/typing"), Optional.empty());
      }
    } catch (PlatformException notShown) {
      // Nobody misses it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
        return size() > MAX_ENTRIES;
      }
    };
  }
}
