package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.ChannelListener;
import dev.midcourse.channels.webhook.WebhookChannel;
import dev.midcourse.channels.webhook.WebhookSecret;
import dev.midcourse.channels.webhook.WebhookSettings;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.ledger.json.DecisionCodec;
import dev.midcourse.ledger.json.InboundCodec;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every body of a webhook is a message that can be stored and read back, or is refused with a field
 * and a rule. Every stored message and decision is read, also one that this version did not write.
 * As an ordinary test it uses the stored examples; {@code JAZZER_FUZZ=1} searches for others.
 */
@Tag("fuzz")
class ChatInputFuzzTest {
  private static final String SECRET = "the secret of the test";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final String SECONDS = Long.toString(NOW.getEpochSecond());

  /** Keeps what it receives, as the ledger would. */
  private static final class Recorder implements ChannelListener {
    final List<InboundMessage> messages = new ArrayList<>();
    final List<ButtonClick> clicks = new ArrayList<>();

    @Override
    public void receive(InboundMessage message) {
      messages.add(message);
    }

    @Override
    public String click(ButtonClick click) {
      clicks.add(click);
      return "";
    }
  }

  @MethodSource("bodies")
  @FuzzTest(maxDuration = "2m")
  void a_body_of_a_webhook(@NotNull String body) {
    Recorder recorder = new Recorder();
    WebhookChannel channel =
        new WebhookChannel(
            new WebhookSettings(
                ChannelName.of("hook"),
                WebhookSecret.of(SECRET),
                Optional.empty(),
                WebhookSettings.DEFAULT_TIMEOUT,
                Set.of()),
            InstantSource.fixed(NOW));
    channel.start(recorder);
    try {
      assertThat(channel.receive(Optional.of(SECONDS), Optional.of(signature(body)), body))
          .isInstanceOf(WebhookChannel.Receipt.Stored.class);
      assertThat(recorder.messages.size() + recorder.clicks.size()).isOne();
      for (InboundMessage message : recorder.messages) {
        assertThat(message.updateKey()).isNotBlank();
        assertThat(InboundCodec.decode(InboundCodec.encode(message))).contains(message);
      }
    } catch (RefusedException refused) {
      assertThat(recorder.messages).isEmpty();
      assertThat(recorder.clicks).isEmpty();
      assertThat(refused.problem().field()).isNotBlank();
      assertThat(refused.problem().rule()).isNotBlank();
    }
  }

  /** Seen to fail when the JSON value null is taken for a message. */
  @MethodSource("stored")
  @FuzzTest(maxDuration = "2m")
  void a_stored_message(@NotNull String json) {
    InboundCodec.decode(json)
        .ifPresent(message ->
            assertThat(InboundCodec.decode(InboundCodec.encode(message))).contains(message));
  }

  @MethodSource("stored")
  @FuzzTest(maxDuration = "2m")
  void a_stored_decision(@NotNull String json) {
    RoutingDecision decision = DecisionCodec.decode(json);
    assertThat(DecisionCodec.encode(decision)).isNotBlank();
  }

  private static String signature(String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
      return "v1=" + HexFormat.of().formatHex(mac.doFinal((SECONDS + "." + body).getBytes(UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static Stream<String> bodies() {
    String chat = "\"chat\":{\"id\":\"c\",\"kind\":\"direct\"}";
    String ann = "\"sender\":{\"id\":\"ann\"}";
    return Stream.of(
        "{\"message_id\":\"m1\"," + chat + "," + ann + ",\"text\":\"Fix it.\"}",
        "{\"message_id\":\"m1\"," + chat + "," + ann + ",\"text\":\"\"}",
        "{\"type\":\"edit\",\"update_id\":\"u\",\"message_id\":\"m1\","
            + chat
            + ","
            + ann
            + ",\"text\":\"x\"}",
        "{\"type\":\"deletion\",\"update_id\":\"u\",\"message_id\":\"m1\","
            + chat
            + ","
            + ann
            + "}",
        "{\"type\":\"click\",\"update_id\":\"u\",\"message_id\":\"m1\","
            + chat
            + ","
            + ann
            + ",\"button\":\"b\"}",
        "{\"message_id\":\"m\\u0000\"," + chat + "," + ann + ",\"text\":\"x\"}",
        "{\"message_id\":\"m\"," + chat + "," + ann + ",\"text\":\"\\ud800\"}",
        "{\"message_id\":\"m\"," + chat + "," + ann + ",\"text\":\"\\u0000\\u202e\"}",
        "{\"message_id\":7," + chat + "," + ann + ",\"text\":[]}",
        "{\"message_id\":\"m\",\"chat\":[],\"sender\":null,\"text\":\"x\"}",
        "{\"message_id\":\"m\"," + chat + ",\"sender\":{\"id\":\"a b\"},\"text\":\"x\"}",
        "{\"message_id\":\"m\","
            + chat
            + ",\"sender\":{\"id\":\"a\",\"kind\":\"self\"},\"text\":\"x\"}",
        "{\"message_id\":\"m\"," + chat + "," + ann + ",\"text\":\"x\",\"reply_to\":{}}",
        "{\"message_id\":\"m\","
            + chat
            + ","
            + ann
            + ",\"text\":\"x\",\"sent_at\":\"+999999999-12-31T23:59:59Z\"}",
        "{\"message_id\":\"m\"," + chat + "," + ann + ",\"text\":\"x\",\"text\":\"y\"}",
        "[".repeat(3_000),
        "null",
        "");
  }

  static Stream<String> stored() {
    return Stream.of(
        "{\"ref\":{\"channel\":\"hook\",\"chat\":\"c\",\"message\":\"m\"},\"update_key\":\"u\"}",
        "{\"gates\":[{\"gate\":\"chat\",\"passed\":true,\"reason\":\"x\"}],\"actions\":[]}",
        "{\"gates\":[],\"actions\":[{\"kind\":\"drop\",\"reason\":\"already_seen\"}]}",
        "{\"gates\":[],\"actions\":[{\"kind\":\"drop\",\"reason\":\"of tomorrow\"}]}",
        "{\"gates\":[],\"actions\":[{\"kind\":\"of tomorrow\",\"more\":[1]}]}",
        "{\"gates\":[{\"gate\":\"of tomorrow\"}],\"actions\":[7]}",
        "{\"gates\":7,\"actions\":null}",
        "{\"gates\":[],\"actions\":[{\"kind\":\"steer_run\",\"run\":\"../x\"}]}",
        "{}",
        "[]",
        "null",
        "",
        "[".repeat(3_000),
        "{\"actions\":[{\"kind\":\"\\ud800\"}]}");
  }
}
