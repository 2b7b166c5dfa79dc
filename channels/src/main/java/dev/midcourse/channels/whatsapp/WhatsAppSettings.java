package dev.midcourse.channels.whatsapp;

import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.util.List;

/**
 * The settings of one WhatsApp channel.
 *
 * @param phone the id of the phone number at the platform, which is not the number itself
 * @param appSecret signs what the platform delivers
 * @param verifyToken the word by which the platform shows at its first request that it means us
 */
record WhatsAppSettings(
    ChannelName name,
    String phone,
    ChannelSecret token,
    ChannelSecret appSecret,
    ChannelSecret verifyToken,
    URI api) {
  private static final URI DEFAULT_API = URI.create("https://graph.facebook.com/v23.0");

  static WhatsAppSettings read(ChannelConfig config) {
    String phone = config.requiredText("phone_number_id");
    if (!phone.matches("\\d{5,30}")) {
      throw Problem.invalid(
              "phone_number_id", "5 to 30 digits", "phone_number_id must be 5 to 30 digits")
          .refused();
    }
    return new WhatsAppSettings(
        config.name(),
        phone,
        config.requiredSecret("token"),
        config.requiredSecret("app_secret"),
        config.requiredSecret("verify_token"),
        config.url("api_url").orElse(DEFAULT_API));
  }

  List<ChannelSecret> secrets() {
    return List.of(token, appSecret, verifyToken);
  }
}
