package dev.midcourse.proof.bench.chat;

import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.proof.bench.fixture.OpenLoop;
import dev.midcourse.proof.chat.WebhookSignature;
import java.time.Instant;

/** The signed requests with which a platform delivers what people write to a webhook channel. */
final class WebhookPosts implements Correspondence {
  static final ChannelName CHANNEL = ChannelName.of("loopback");
  static final String SECRET = "the secret of a benchmark";
  private static final String PATH = "/channels/" + CHANNEL + "/messages";

  @Override
  public OpenLoop.Post message(int person, String key, String text) {
    return signed(person, key, text, "");
  }

  @Override
  public OpenLoop.Post reply(int person, String key, String text, String answered) {
    return signed(person, key, text, ",\"reply_to\":{\"message_id\":\"" + answered + "\"}");
  }

  private static OpenLoop.Post signed(int person, String key, String text, String more) {
    String body =
        """
        {"message_id":"%s","chat":{"id":"%s","kind":"direct"},"sender":{"id":"person-%d"},\
        "text":"%s"%s}\
        """
            .formatted(key, chat(person), person, text, more);
    String seconds = Long.toString(Instant.now().getEpochSecond());
    String headers =
        "\r\n%s: %s\r\n%s: %s"
            .formatted(
                WebhookChannel.TIMESTAMP,
                seconds,
                WebhookChannel.SIGNATURE,
                WebhookSignature.of(SECRET, seconds, body));
    return new OpenLoop.Post(PATH, headers, body);
  }

  /** The chat of a person with Midcourse. */
  static String chat(int person) {
    return "chat-" + person;
  }

  @Override
  public String keyField() {
    return "message_id";
  }

  @Override
  public MessageRef ref(int person, String key) {
    return new MessageRef(CHANNEL, chat(person), key);
  }
}
