package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.MatrixClient.part;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.StatusEmoji;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends events. The id of the request is the transaction id, by which the homeserver knows a
 * repetition.
 */
final class MatrixSender {
  private static final Duration TOKEN_RETRY_DELAY = Duration.ofMinutes(5);
  private static final String MESSAGE = "m.room.message";

  private final MatrixClient client;
  private final MatrixRooms rooms;

  MatrixSender(MatrixClient client, MatrixRooms rooms) {
    this.client = client;
    this.rooms = rooms;
  }

  SendResult send(OutboundId id, ChannelRequest request) {
    String room = request.to().chat();
    if (!MatrixIds.isRoom(room)) {
      return new SendResult.Refused("the chat is not a room of Matrix");
    }
    try {
      return switch (request) {
        case ChannelRequest.SendText(var to, String markdown, var replyTo) ->
            put(room, MESSAGE, id.value(), MatrixRequestWriter.message(to, markdown, replyTo));
        case ChannelRequest.EditText(var _, String message, String markdown) ->
            edit(room, id, message, markdown);
        case ChannelRequest.CloseCard(var _, String message, String markdown) ->
            edit(room, id, message, markdown);
        case ChannelRequest.SetReaction(var _, String message, MessageStatus status) ->
            react(room, id, message, StatusEmoji.of(status));
        case ChannelRequest.SendFile file -> sendFile(room, id, file);
        case ChannelRequest.SendCard(var to, String title, String markdown, var _) ->
            put(
                room,
                MESSAGE,
                id.value(),
                MatrixRequestWriter.message(
                    to, "**" + title + "**\n\n" + markdown, Optional.empty()));
      };
    } catch (PlatformException e) {
      return e.sendResult();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new SendResult.Unknown("the hub was closed while it waited for the answer");
    }
  }

  private SendResult edit(String room, OutboundId id, String message, String markdown)
      throws PlatformException, InterruptedException {
    SendResult result = put(room, MESSAGE, id.value(), MatrixRequestWriter.edit(message, markdown));
    return result instanceof SendResult.Sent ? new SendResult.Sent(message) : result;
  }

  /**
   * Adds the new reaction and then removes the old one. Both have transaction ids, so that the
   * whole can be repeated.
   */
  private SendResult react(String room, OutboundId id, String message, String emoji)
      throws PlatformException, InterruptedException {
    PlatformResponse answer =
        putEvent(room, "m.reaction", id.value(), MatrixRequestWriter.reaction(message, emoji));
    if (MatrixClient.code(answer).equals("M_DUPLICATE_ANNOTATION")) {
      return new SendResult.Sent(message);
    }
    SendResult result = result(answer);
    Optional<String> old = rooms.reaction(message);
    if (!(result instanceof SendResult.Sent(String added))) {
      return result;
    }
    if (old.isPresent() && !old.get().equals(added)) {
      PlatformResponse removed =
          client.put(
              roomPath(room) + "/redact/" + part(old.get()) + "/" + part(id.value() + "-old"),
              JsonValue.Obj.EMPTY);
      if (removed.status() == 429) {
        return result(removed);
      }
    }
    rooms.putReaction(message, added);
    return new SendResult.Sent(message);
  }

  /** An upload that failed shows nothing to anybody and can be repeated. */
  private SendResult sendFile(String room, OutboundId id, ChannelRequest.SendFile file)
      throws PlatformException, InterruptedException {
    String name = FileName.safe(file.name()).value();
    PlatformResponse uploaded;
    long bytes;
    try {
      bytes = Files.size(file.file());
      uploaded = client.upload(name, file.file());
    } catch (IOException e) {
      return new SendResult.RetryAfter(
          Duration.ZERO, "the file was not uploaded: " + e.getMessage());
    }
    Optional<String> mxc = uploaded.json().string("content_uri").filter(MatrixIds::isMedia);
    if (uploaded.status() != 200 || mxc.isEmpty()) {
      SendResult failed = result(uploaded);
      return failed instanceof SendResult.Unknown(String reason)
          ? new SendResult.RetryAfter(Duration.ZERO, reason)
          : failed;
    }
    return put(
        room,
        MESSAGE,
        id.value(),
        MatrixRequestWriter.file(file.to(), mxc.get(), name, bytes, file.caption()));
  }

  SendResult put(String room, String type, String transaction, JsonValue.Obj content)
      throws PlatformException, InterruptedException {
    return result(putEvent(room, type, transaction, content));
  }

  private PlatformResponse putEvent(
      String room, String type, String transaction, JsonValue.Obj content)
      throws PlatformException, InterruptedException {
    return client.put(roomPath(room) + "/send/" + type + "/" + part(transaction), content);
  }

  static String roomPath(String room) {
    return "/_matrix/client/v3/rooms/" + part(room);
  }

  private static SendResult result(PlatformResponse answer) {
    String reason = "the homeserver answered " + answer.status() + " " + MatrixClient.code(answer);
    if (answer.status() == 200) {
      return answer
          .json()
          .string("event_id")
          .filter(MatrixIds::isEvent)
          .<SendResult>map(SendResult.Sent::new)
          .orElseGet(() -> new SendResult.Unknown("the homeserver named no event"));
    }
    if (answer.status() == 429) {
      return new SendResult.RetryAfter(MatrixClient.retryAfter(answer), reason);
    }
    if (MatrixClient.isTokenInvalid(answer)) {
      return new SendResult.RetryAfter(TOKEN_RETRY_DELAY, reason);
    }
    return answer.status() >= 500 || answer.status() == 408
        ? new SendResult.Unknown(reason)
        : new SendResult.Refused(reason);
  }
}
