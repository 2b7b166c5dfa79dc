package dev.midcourse.channels.telegram.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The settings of one channel.
 *
 * @param api where the Bot API is, without a slash at its end
 * @param webhook where Telegram reaches this channel; empty for long polls
 * @param takeOver whether a webhook that another program has set is replaced
 */
public record TelegramSettings(
    ChannelName name,
    String api,
    ChannelSecret token,
    Optional<URI> webhook,
    boolean takeOver,
    TelegramTimings timings) {
  static final String DEFAULT_API = "https://api.telegram.org";
  private static final Pattern TOKEN = Pattern.compile("[0-9]{1,20}:[A-Za-z0-9_-]{1,200}");

  public static TelegramSettings read(ChannelConfig config) {
    ChannelSecret token = config.requiredSecret("token");
    if (!TOKEN.matcher(token.reveal()).matches()) {
      throw Problem.invalid(
              "token",
              "NUMBER:LETTERS, as @BotFather shows it",
              "the token is not one of a Telegram bot: it must be NUMBER:LETTERS, as @BotFather"
                  + " shows it")
          .refused();
    }
    boolean webhook = config.flag("webhook").orElse(false);
    Optional<URI> url = config.url("webhook_url");
    if (webhook && url.isEmpty()) {
      throw Problem.invalid(
              "webhook_url",
              "the public address of this channel at the hub",
              "webhook = true needs webhook_url, such as"
                  + " https://hub.example.org/api/v1/channels/"
                  + config.name()
                  + "/updates")
          .refused();
    }
    return new TelegramSettings(
        config.name(),
        config.url("api_url").map(TelegramSettings::withoutSlash).orElse(DEFAULT_API),
        token,
        webhook ? url : Optional.empty(),
        config.flag("take_over").orElse(false),
        TelegramTimings.DEFAULT);
  }

  private static String withoutSlash(URI uri) {
    return uri.toString().replaceFirst("/+$", "");
  }

  /** The id of the bot, which is the part of the token that everybody may know. */
  public String botId() {
    String whole = token.reveal();
    return whole.substring(0, whole.indexOf(':'));
  }

  /**
   * The secret that Telegram sends with each update. It is derived from the token, so that every
   * host of a shared database knows it.
   */
  public ChannelSecret webhookSecret() {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(token.reveal().getBytes(UTF_8), "HmacSHA256"));
      byte[] derived = mac.doFinal("midcourse webhook secret".getBytes(UTF_8));
      return new ChannelSecret(HexFormat.of().formatHex(derived));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HmacSHA256", e);
    }
  }
}
