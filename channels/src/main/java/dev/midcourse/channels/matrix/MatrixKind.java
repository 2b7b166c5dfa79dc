package dev.midcourse.channels.matrix;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelKind;
import dev.midcourse.channels.kind.ChannelSetting;
import dev.midcourse.core.Problem;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Matrix, over the client-server API of any homeserver. */
public final class MatrixKind implements ChannelKind {
  private static final Duration DEFAULT_SYNC_TIMEOUT = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "matrix";
  }

  @Override
  public String title() {
    return "Matrix";
  }

  @Override
  public List<ChannelSetting> settings() {
    return List.of(
        ChannelSetting.required(
            "server",
            ChannelSetting.Type.URL,
            "The homeserver, such as https://matrix.example.org."),
        ChannelSetting.required(
            "token", ChannelSetting.Type.SECRET, "The access token of the account of the bot."),
        ChannelSetting.optional(
            "join",
            ChannelSetting.Type.TEXT,
            "invited (the default): the bot joins a room to which it is invited; never: it does not."),
        ChannelSetting.optional(
            "sync_timeout",
            ChannelSetting.Type.DURATION,
            "How long the homeserver may wait for news; 30s if absent."));
  }

  @Override
  public List<String> preparation() {
    return List.of(
        "Make an account for the bot on a homeserver.",
        "Log in once with the bot's password to get an access token, for example with curl:"
            + " POST /_matrix/client/v3/login; use a device of its own, because a token ends with"
            + " its device.",
        "Use rooms without encryption: clients switch it on by default in private rooms, and it"
            + " cannot be switched off later.",
        "Ask the administrator of the homeserver for a higher message limit for the bot: the usual"
            + " one of Synapse is ten messages at once and then one in five seconds.");
  }

  @Override
  public Channel open(ChannelConfig config, ChannelContext context) {
    return new MatrixChannel(read(config), context);
  }

  private static MatrixSettings read(ChannelConfig config) {
    return new MatrixSettings(
        config.name(),
        config
            .url("server")
            .orElseThrow(() ->
                Problem.invalid("server", "a URL", "the setting server is missing").refused()),
        config.requiredSecret("token"),
        config.oneOf("join", MatrixSettings.Join.class).orElse(MatrixSettings.Join.INVITED),
        config.duration("sync_timeout").orElse(DEFAULT_SYNC_TIMEOUT));
  }

  @Override
  public List<ChannelCheck> check(ChannelConfig config, ChannelContext context) {
    List<ChannelCheck> results = new ArrayList<>();
    try (MatrixClient client = new MatrixClient(read(config))) {
      MatrixAccount account = MatrixReceiver.account(client);
      results.add(ChannelCheck.ok("is " + account.user()));
      JsonValue.Obj joined =
          MatrixClient.require(client.get("/_matrix/client/v3/joined_rooms", MatrixClient.TIMEOUT));
      MatrixRooms rooms = new MatrixRooms(context.state());
      List<String> all = joined.texts("joined_rooms");
      results.add(ChannelCheck.ok("is in %d rooms, reads and reacts there".formatted(all.size())));
      long encrypted = all.stream().filter(rooms::isEncrypted).count();
      if (encrypted > 0) {
        results.add(
            ChannelCheck.warning(
                encrypted + " of the rooms are encrypted and cannot be read",
                "Write to the bot in a room without encryption."));
      }
    } catch (PermanentFailureException e) {
      results.add(ChannelCheck.failed(String.valueOf(e.getMessage()), e.remedy()));
    } catch (IOException | RetryLaterException e) {
      results.add(
          ChannelCheck.failed(
              String.valueOf(e.getMessage()), "Check the address of the homeserver."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.copyOf(results);
  }
}
