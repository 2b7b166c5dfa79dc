package dev.midcourse.channels.discord.gateway;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.ReceiveLoop;
import dev.midcourse.channels.connection.RetryLaterException;
import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordSettings;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One session of the receive loop: connects to the gateway, resumes the stream where it was left or
 * begins a new one, and gives every event to its handler in order. The position moves on only after
 * the handler has returned.
 */
public final class GatewaySession implements ReceiveLoop.Session {
  private static final int IDENTIFY = 2;
  private static final int RESUME = 6;
  private static final int INTENTS =
      1 | 1 << 9 | 1 << 12; // guilds, their messages, direct messages
  private static final int MESSAGE_CONTENT = 1 << 15;
  private static final String QUERY = "/?v=10&encoding=json";
  private static final Duration IDLE_INTERVAL = Duration.ofSeconds(1);

  private final DiscordSettings settings;
  private final DiscordClient client;
  private final GatewayPositionStore positions;
  private final IdentifyBudget budget;
  private final GatewayEventHandler handler;
  private boolean resumeAddressFailed; // only the thread of the loop uses it

  public GatewaySession(
      DiscordSettings settings,
      DiscordClient client,
      GatewayPositionStore positions,
      IdentifyBudget budget,
      GatewayEventHandler handler) {
    this.settings = settings;
    this.client = client;
    this.positions = positions;
    this.budget = budget;
    this.handler = handler;
  }

  @Override
  public void run(ReceiveLoop.Connection connection) throws Exception {
    client.requireToken();
    GatewayPosition from = positions.get();
    from.session().ifPresent(session -> handler.setBot(session.bot()));
    try (GatewayLink link = connect(from)) {
      if (from.session().isEmpty()) {
        budget.take();
      }
      link.start(from.session().map(session -> resume(session, from)).orElseGet(this::identify));
      receive(link, connection);
    } catch (IOException e) {
      throw translated(e);
    } finally {
      positions.storeChanges();
    }
  }

  private GatewayLink connect(GatewayPosition from) throws Exception {
    boolean useOwn = from.session().isPresent() && !resumeAddressFailed;
    URI address =
        useOwn ? gateway(from.session().orElseThrow().url()) : gateway(askForAddress(from));
    try {
      GatewayLink link =
          GatewayLink.open(
              client.http(), address, settings.pauses().connect(), from.sequence(), handler);
      resumeAddressFailed = false;
      return link;
    } catch (IOException e) {
      resumeAddressFailed = useOwn;
      throw e;
    }
  }

  private String askForAddress(GatewayPosition from) throws Exception {
    return switch (client.get("/gateway/bot")) {
      case DiscordAnswer.Done done -> {
        JsonValue.Obj limit = done.object().object("session_start_limit");
        boolean isEmpty = limit.number("remaining").filter(left -> left <= 0).isPresent();
        if (isEmpty && from.session().isEmpty()) {
          throw new RetryLaterException(
              "Discord allows no further session now",
              Duration.ofMillis(
                  Math.clamp(limit.number("reset_after").orElse(0L), 60_000, 86_400_000)));
        }
        yield done.object()
            .string("url")
            .orElseThrow(() -> new IOException("Discord did not tell the address of its gateway"));
      }
      case DiscordAnswer.Limited(Duration delay, String reason) ->
          throw new RetryLaterException(reason, delay);
      case DiscordAnswer.Failed failed -> {
        client.requireToken();
        throw new IOException(failed.reason());
      }
    };
  }

  /** Checks an address that Discord told: the token is sent there. */
  private URI gateway(String url) throws IOException {
    URI uri;
    try {
      uri = URI.create(url.replaceFirst("/+$", "") + QUERY);
    } catch (IllegalArgumentException e) {
      throw new IOException("the address of the gateway is not valid");
    }
    boolean isTest = "ws".equals(uri.getScheme()) && "http".equals(settings.api().getScheme());
    if (uri.getHost() == null || (!"wss".equals(uri.getScheme()) && !isTest)) {
      throw new IOException("the address of the gateway is not wss");
    }
    return uri;
  }

  private void receive(GatewayLink link, ReceiveLoop.Connection connection) throws Exception {
    boolean isGreeted = false;
    while (connection.isWanted()) {
      Optional<GatewayLink.Event> event = link.next(IDLE_INTERVAL);
      if (event.isEmpty()) {
        client.requireToken();
        positions.storeChanges();
        continue;
      }
      switch (event.get()) {
        case GatewayLink.Event.Dispatch dispatch -> {
          take(dispatch);
          if (dispatch.type().equals("READY") || dispatch.type().equals("RESUMED")) {
            isGreeted = true;
            connection.opened();
          }
          if (link.isIdle()) {
            positions.storeChanges();
          }
        }
        case GatewayLink.Event.Reconnect() -> {
          if (!isGreeted) {
            throw new RetryLaterException("Discord asks to connect again", pause());
          }
          return;
        }
        case GatewayLink.Event.InvalidSession(boolean isResumable) -> {
          if (!isResumable) {
            forgetSession();
          }
          throw new RetryLaterException("Discord has ended the session", pause());
        }
        case GatewayLink.Event.Lost(IOException reason) -> throw reason;
      }
    }
  }

  private void take(GatewayLink.Event.Dispatch dispatch) throws IOException, InterruptedException {
    if (dispatch.pending().isPresent()) {
      dispatch.pending().get().await();
    } else {
      handler.handle(dispatch.type(), dispatch.data());
    }
    positions.change(position -> position.at(dispatch.sequence()));
  }

  /** Discord asks for a random wait, so that not all bots come at once. */
  private Duration pause() {
    Duration least = settings.pauses().invalidSession();
    return least.plusMillis(ThreadLocalRandom.current().nextLong(least.toMillis() * 4 + 1));
  }

  private void forgetSession() {
    positions.change(position -> position.with(Optional.empty()));
  }

  /** Decides by the close code whether to resume, to begin anew, or to stop. */
  private Exception translated(IOException lost) {
    String portal = "https://discord.com/developers/applications";
    return switch (GatewayLink.closeCode(lost).orElse(0)) {
      case 4_004 -> DiscordClient.refusedToken();
      case 4_007, 4_009 -> {
        forgetSession();
        yield new RetryLaterException("Discord has ended the session", pause());
      }
      case 4_010, 4_011 ->
          new PermanentFailureException(
              "Discord wants the bot to split its servers over several connections",
              "The bot is in more servers (about 2,500) than this channel can serve; use a bot of"
                  + " its own for Midcourse.");
      case 4_012 ->
          new PermanentFailureException(
              "Discord no longer has version 10 of its gateway", "Install a newer Midcourse.");
      case 4_013 ->
          new PermanentFailureException(
              "Discord does not know what the bot asks for", "Install a newer Midcourse.");
      case 4_014 ->
          new PermanentFailureException(
              "Discord does not let the bot read the texts of messages",
              "Switch on Message Content Intent at "
                  + portal
                  + " (Bot), or set message_content = false; then restart the hub.");
      default -> lost;
    };
  }

  private JsonValue.Obj identify() {
    JsonValue.Obj properties =
        JsonValue.object()
            .with("os", "linux")
            .with("browser", "midcourse")
            .with("device", "midcourse");
    JsonValue.Obj data =
        JsonValue.object()
            .with("token", settings.token().reveal())
            .with("intents", settings.messageContent() ? INTENTS | MESSAGE_CONTENT : INTENTS)
            .with("properties", properties);
    return JsonValue.object().with("op", IDENTIFY).with("d", data);
  }

  private JsonValue.Obj resume(GatewayPosition.Session session, GatewayPosition from) {
    JsonValue.Obj data =
        JsonValue.object()
            .with("token", settings.token().reveal())
            .with("session_id", session.id())
            .with("seq", from.sequence());
    return JsonValue.object().with("op", RESUME).with("d", data);
  }
}
