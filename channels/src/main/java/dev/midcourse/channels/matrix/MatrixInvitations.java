package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.MatrixClient.part;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.json.JsonValue;
import java.lang.System.Logger.Level;
import java.util.Optional;

/** Accepts invitations as the settings say. Being in a room gives nobody there a right. */
final class MatrixInvitations {
  private static final System.Logger LOG = System.getLogger(MatrixInvitations.class.getName());

  private final MatrixSettings settings;
  private final MatrixAccount account;
  private final MatrixClient client;
  private final MatrixRooms rooms;
  private final ChannelListener listener;

  MatrixInvitations(
      MatrixSettings settings,
      MatrixAccount account,
      MatrixClient client,
      MatrixRooms rooms,
      ChannelListener listener) {
    this.settings = settings;
    this.account = account;
    this.client = client;
    this.rooms = rooms;
    this.listener = listener;
  }

  void read(String room, JsonValue.Obj invited) throws InterruptedException, RetryLaterException {
    boolean isDirect = false;
    Optional<String> name = Optional.empty();
    for (JsonValue.Obj event : invited.object("invite_state").objects("events")) {
      JsonValue.Obj content = event.object("content");
      isDirect =
          isDirect
              || (event.string("state_key").filter(account.user()::equals).isPresent()
                  && content.is("is_direct"));
      if (event.string("type").filter("m.room.name"::equals).isPresent()) {
        name = content.string("name");
      }
    }
    switch (settings.join()) {
      case INVITED -> {
        rooms.setDirect(room, isDirect);
        name.ifPresent(it -> rooms.rename(room, it));
        if (join(room)) {
          listener.notice(settings.name(), new ChannelNotice.ChatOpened(room, rooms.name(room)));
        }
      }
      case NEVER ->
          LOG.log(
              Level.INFO,
              "The channel {0} was invited to {1} and does not join, as its setting says.",
              settings.name(),
              room);
    }
  }

  /** Joins a room; false if the homeserver does not let the bot in. */
  boolean join(String room) throws InterruptedException, RetryLaterException {
    try {
      PlatformResponse answer =
          client.post("/_matrix/client/v3/join/" + part(room), JsonValue.Obj.EMPTY);
      if (answer.status() == 200) {
        return true;
      }
      if (answer.status() == 429) {
        throw new RetryLaterException(
            "the homeserver asks to wait", MatrixClient.retryAfter(answer));
      }
      LOG.log(
          Level.WARNING,
          "The channel {0} could not join {1}: the homeserver answered {2} {3}. Invite the bot"
              + " again.",
          settings.name(),
          room,
          answer.status(),
          MatrixClient.code(answer));
    } catch (PlatformException e) {
      LOG.log(
          Level.WARNING,
          "The channel {0} could not join {1}: {2}. Invite the bot again.",
          settings.name(),
          room,
          String.valueOf(e.getMessage()));
    }
    return false;
  }
}
