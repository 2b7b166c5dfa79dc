package dev.midcourse.channels.matrix;

import static dev.midcourse.channels.matrix.MatrixClient.part;

import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.connection.ChannelState;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Receives with sync. The position is stored after everything of a sync was taken: the same
 * position again gives the same events, which change nothing the second time.
 */
final class MatrixReceiver implements ReceiveLoop.Session {
  static final String SINCE = "since";

  private static final System.Logger LOG = System.getLogger(MatrixReceiver.class.getName());
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final String FILTER =
      """
      {"presence":{"types":[]},"account_data":{"types":["m.direct"]},"room":{\
      "account_data":{"types":[]},"ephemeral":{"types":[]},\
      "state":{"types":["m.room.name","m.room.encryption","m.room.tombstone"]},\
      "timeline":{"limit":50,"types":["m.room.message","m.room.redaction","m.room.encrypted",\
      "m.room.encryption","m.room.tombstone","m.room.name","m.room.member"]}}}\
      """;

  private final MatrixSettings settings;
  private final MatrixClient client;
  private final MatrixSender sender;
  private final MatrixRooms rooms;
  private final ChannelState state;
  private final ChannelListener listener;
  private final InstantSource clock;
  private final Consumer<MatrixAccount> onAccount;

  MatrixReceiver(
      MatrixSettings settings,
      MatrixClient client,
      MatrixSender sender,
      MatrixRooms rooms,
      ChannelState state,
      ChannelListener listener,
      InstantSource clock,
      Consumer<MatrixAccount> onAccount) {
    this.settings = settings;
    this.client = client;
    this.sender = sender;
    this.rooms = rooms;
    this.state = state;
    this.listener = listener;
    this.clock = clock;
    this.onAccount = onAccount;
  }

  @Override
  public void run(ReceiveLoop.Connection connection) throws Exception {
    MatrixAccount account = account(client);
    onAccount.accept(account);
    MatrixRoomReader reader =
        new MatrixRoomReader(settings, account, client, sender, rooms, listener);
    Duration wait = Duration.ZERO; // the first sync tells at once whether the connection works
    while (connection.isWanted()) {
      Optional<String> since = state.get(SINCE).filter(it -> !it.isBlank());
      PlatformResponse answer =
          client.get(path(since, wait), wait.plus(MatrixClient.TIMEOUT).plus(GRACE));
      if (answer.status() == 400 && since.isPresent()) {
        beginAnew();
        continue;
      }
      JsonValue.Obj sync = MatrixClient.require(answer);
      connection.opened();
      String next =
          sync.string("next_batch")
              .filter(it -> !it.isBlank())
              .orElseThrow(() -> new IOException("the sync has no position"));
      reader.read(sync, since);
      state.put(SINCE, next);
      wait = settings.syncTimeout();
    }
  }

  private static String path(Optional<String> since, Duration wait) {
    return "/_matrix/client/v3/sync?timeout="
        + wait.toMillis()
        + "&filter="
        + part(FILTER)
        + since.map(it -> "&since=" + part(it)).orElse("");
  }

  /** Asks who the bot is. */
  static MatrixAccount account(MatrixClient client)
      throws IOException, InterruptedException, RetryLaterException, PermanentFailureException {
    JsonValue.Obj whoami =
        MatrixClient.require(client.get("/_matrix/client/v3/account/whoami", MatrixClient.TIMEOUT));
    String user =
        whoami
            .string("user_id")
            .filter(MatrixIds::isUser)
            .orElseThrow(() -> new IOException("the homeserver names no valid account"));
    PlatformResponse profile =
        client.get("/_matrix/client/v3/profile/" + part(user), MatrixClient.TIMEOUT);
    return new MatrixAccount(user, profile.json().string("displayname").orElse(""));
  }

  /** The homeserver does not know the stored position, as after it was restored from a copy. */
  private void beginAnew() {
    LOG.log(
        Level.WARNING,
        "The homeserver of the channel {0} does not know the stored position; messages of the time"
            + " since the last one may be missing.",
        settings.name());
    listener.notice(
        settings.name(),
        new ChannelNotice.Gap(Optional.empty(), clock.instant(), clock.instant(), "messages"));
    state.put(SINCE, "");
  }
}
