package dev.midcourse.cli.chat;

import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.IdempotencyKeys;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.core.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/**
 * The requests of one person in one chat of the terminal channel.
 *
 * @param room the room; without one, the chat with Midcourse alone
 */
record ChatClient(HubClient hub, String user, Optional<String> room, Optional<String> thread) {
  private static final Duration RESEND = Duration.ofSeconds(20);

  /** The same person in the chat with Midcourse alone. */
  ChatClient alone() {
    return new ChatClient(hub, user, Optional.empty(), Optional.empty());
  }

  /** The messages of the chat, as they come. */
  EventFeed feed(EventFeed.Absence absence) {
    String path =
        "/terminal/events?user="
            + HttpRequest.encoded(user)
            + room.map(name -> "&room=" + HttpRequest.encoded(name)).orElse("");
    return EventFeed.ofPath(hub, path, absence);
  }

  /** Returns the id of the message. */
  String write(String text, Optional<String> replyTo) throws InterruptedException {
    JsonValue.Obj body =
        with(with(request().with("text", text), "thread", thread), "reply_to", replyTo);
    return hub.postWithKey("/terminal/messages", body, RESEND).text("message").orElse("");
  }

  void edit(String message, String text) throws InterruptedException {
    hub.postWithKey(
        "/terminal/changes", request().with("message", message).with("text", text), RESEND);
  }

  void delete(String message) throws InterruptedException {
    hub.postWithKey("/terminal/changes", request().with("message", message), RESEND);
  }

  /** Returns what the hub says about the choice. */
  String click(String card, String button) throws InterruptedException {
    return hub.postWithKey(
            "/terminal/clicks", request().with("message", card).with("button", button), RESEND)
        .text("text")
        .orElse("");
  }

  private JsonValue.Obj request() {
    return with(
        JsonValue.Obj.EMPTY.with("user", user).with("key", IdempotencyKeys.random()), "room", room);
  }

  private static JsonValue.Obj with(JsonValue.Obj object, String field, Optional<String> text) {
    return text.map(value -> object.with(field, value)).orElse(object);
  }
}
