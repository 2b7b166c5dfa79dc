package dev.midcourse.channels.slack.api;

import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The settings of one channel.
 *
 * @param appToken opens sockets; present in Socket Mode
 * @param signingSecret proves that a request comes from Slack; present with the Events API
 * @param api the address of the web API, with a slash at its end
 */
public record SlackSettings(
    ChannelName name,
    ChannelSecret botToken,
    Optional<ChannelSecret> appToken,
    Optional<ChannelSecret> signingSecret,
    Mode mode,
    URI api) {
  public static final String BOT_TOKEN = "bot_token";
  public static final String APP_TOKEN = "app_token";
  public static final String SIGNING_SECRET = "signing_secret";
  public static final String MODE = "mode";
  public static final String API_URL = "api_url";

  private static final URI API = URI.create("https://slack.com/api/");

  /** How updates come. */
  public enum Mode {
    /** Over a socket that this machine opens. */
    SOCKET,
    /** As requests of Slack to this machine. */
    EVENTS
  }

  public static SlackSettings read(ChannelConfig config) {
    Mode mode = config.oneOf(MODE, Mode.class).orElse(Mode.SOCKET);
    ChannelSecret bot = token(config, BOT_TOKEN, "xoxb-");
    Optional<ChannelSecret> app =
        mode == Mode.SOCKET
            ? Optional.of(token(config, APP_TOKEN, "xapp-"))
            : config.secret(APP_TOKEN);
    Optional<ChannelSecret> signing =
        mode == Mode.EVENTS
            ? Optional.of(config.requiredSecret(SIGNING_SECRET))
            : config.secret(SIGNING_SECRET);
    return new SlackSettings(
        config.name(),
        bot,
        app,
        signing,
        mode,
        config.url(API_URL).map(SlackSettings::withSlash).orElse(API));
  }

  /** The two tokens are often taken for each other; their beginnings tell them apart. */
  private static ChannelSecret token(ChannelConfig config, String key, String beginning) {
    ChannelSecret token = config.requiredSecret(key);
    if (!token.reveal().startsWith(beginning)) {
      throw Problem.invalid(
              key,
              "a token that begins with " + beginning,
              key + " of the channel " + config.name() + " must begin with " + beginning)
          .refused();
    }
    return token;
  }

  private static URI withSlash(URI url) {
    return url.toString().endsWith("/") ? url : URI.create(url + "/");
  }

  /** All secrets, so that no error shows one. */
  public List<ChannelSecret> secrets() {
    List<ChannelSecret> secrets = new ArrayList<>(List.of(botToken));
    appToken.ifPresent(secrets::add);
    signingSecret.ifPresent(secrets::add);
    return secrets;
  }
}
