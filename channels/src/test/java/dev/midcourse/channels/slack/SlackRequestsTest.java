package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.ANN;
import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.http.HttpReceiver.HttpCall;
import dev.midcourse.channels.http.HttpReceiver.HttpReply;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.channels.slack.receive.SlackSignature;
import dev.midcourse.core.json.JsonValue;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests of Slack, and of people who would like to be Slack. */
class SlackRequestsTest {
  private static final ChannelSecret SECRET = new ChannelSecret(SlackHarness.SIGNING_SECRET);

  private SlackHarness harness;
  private FakeSlack slack;
  private SlackHarness.Recorder recorder;

  @BeforeEach
  void open() throws Exception {
    harness = new SlackHarness();
    slack = harness.slack;
    recorder = harness.recorder;
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private HttpCall signed(String body, Instant at, String type) {
    String time = Long.toString(at.getEpochSecond());
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", type);
    headers.put("x-slack-request-timestamp", time);
    headers.put("x-slack-signature", SlackSignature.sign(SECRET, time, body));
    return new HttpCall("POST", headers, Map.of(), body);
  }

  private HttpCall signed(String body) {
    return signed(body, harness.now, "application/json");
  }

  private static HttpCall with(HttpCall call, String header, String value) {
    Map<String, String> headers = new HashMap<>(call.headers());
    headers.put(header, value);
    return new HttpCall(call.method(), headers, call.query(), call.body());
  }

  private String message(String text) {
    return slack
        .callback(
            JsonValue.object()
                .with("type", "message")
                .with("channel", CHANNEL)
                .with("user", ANN)
                .with("ts", "1793620799.000100")
                .with("text", text))
        .toString();
  }

  /**
   * The public example of Slack's documentation.
   *
   * <p>Seen to fail when the signature leaves the time out.
   */
  @Test
  void the_signature_is_that_of_slack() {
    assertThat(
            SlackSignature.sign(
                new ChannelSecret("8f742231b10e8888abcd99yyyzzz85a5"),
                "1531420618",
                "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
                    + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA"
                    + "&user_name=roadrunner&command=%2Fwebhook-collect&text="
                    + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J"
                    + "%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
                    + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"))
        .isEqualTo("v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503");
  }

  /** Seen to fail when the signature is not compared. */
  @Test
  void t338_a_forged_request_changes_nothing() {
    SlackChannel channel = harness.start(SlackSettings.Mode.EVENTS);
    HttpCall real = signed(message("Fix it."));
    HttpCall otherBody =
        new HttpCall("POST", real.headers(), Map.of(), message("Delete everything."));

    assertThat(channel.receive(otherBody).status()).isEqualTo(401);
    assertThat(channel.receive(with(real, "x-slack-signature", "v0=00")).status()).isEqualTo(401);
    assertThat(channel.receive(with(real, "x-slack-request-timestamp", "1")).status())
        .isEqualTo(401);
    assertThat(channel.receive(with(real, "x-slack-request-timestamp", "-")).status())
        .isEqualTo(401);
    assertThat(channel.receive(new HttpCall("POST", Map.of(), Map.of(), "{}")).status())
        .isEqualTo(401);
    assertThat(recorder.deliveries()).isEmpty();
  }

  /** Seen to fail when the time of the request is not compared. */
  @Test
  void t339_a_replayed_request_is_refused_later_and_harmless_at_once() {
    SlackChannel channel = harness.start(SlackSettings.Mode.EVENTS);
    HttpCall call = signed(message("Fix it."));
    assertThat(channel.receive(call).status()).isEqualTo(200);
    assertThat(channel.receive(call).status()).isEqualTo(200);
    harness.now = harness.now.plus(Duration.ofMinutes(6));

    assertThat(channel.receive(call).status()).isEqualTo(401);
    assertThat(recorder.texts()).containsExactly("Fix it.");
  }

  /** Seen to fail when the signature is not looked at. */
  @Test
  void the_address_is_confirmed_to_slack_and_to_nobody_else() {
    SlackChannel channel = harness.create(SlackSettings.Mode.EVENTS);
    HttpCall call = signed("{\"type\":\"url_verification\",\"challenge\":\"abc\"}");

    assertThat(channel.receive(call)).isEqualTo(HttpReply.text(200, "abc"));
    assertThat(channel.receive(with(call, "x-slack-signature", "v0=1")).status()).isEqualTo(401);
  }

  /** Seen to fail when a delivery with a retry number is dropped. */
  @Test
  void t341_a_repeated_delivery_is_taken_if_the_first_one_failed_and_has_one_effect() {
    SlackChannel channel = harness.start(SlackSettings.Mode.EVENTS);
    HttpCall call = signed(message("Fix it."));
    recorder.failure = Optional.of(new IllegalStateException("the disk is full"));
    assertThat(channel.receive(call).status()).isEqualTo(503);
    recorder.failure = Optional.empty();
    HttpCall again =
        with(with(call, "x-slack-retry-num", "1"), "x-slack-retry-reason", "http_error");

    assertThat(channel.receive(again).status()).isEqualTo(200);
    assertThat(channel.receive(with(again, "x-slack-retry-num", "2")).status()).isEqualTo(200);
    assertThat(recorder.texts()).containsExactly("Fix it.");
  }

  /** Seen to fail when a request is confirmed and not taken. */
  @Test
  void before_the_hub_takes_messages_slack_is_asked_to_come_again() {
    SlackChannel channel = harness.create(SlackSettings.Mode.EVENTS);
    assertThat(channel.receive(signed(message("Fix it."))).status()).isEqualTo(503);
  }

  @Test
  void clicks_and_commands_come_as_forms() {
    SlackChannel channel = harness.start(SlackSettings.Mode.EVENTS);
    String click =
        slack
            .click(CHANNEL, "1793620799.000100", ANN, JsonValue.object().with("value", "abc"))
            .toString();
    String form = "application/x-www-form-urlencoded";
    HttpCall clicked = signed("payload=" + URLEncoder.encode(click, UTF_8), harness.now, form);
    HttpCall command =
        signed(
            "command=%2Fmidcourse&text=stop&user_id=U0ANN&channel_id="
                + CHANNEL
                + "&trigger_id=1.2",
            harness.now,
            form);

    assertThat(channel.receive(clicked)).isEqualTo(HttpReply.text(200, ""));
    assertThat(channel.receive(command).status()).isEqualTo(200);
    assertThat(channel.receive(signed("a=%zz&b", harness.now, form)).status()).isEqualTo(400);
    assertThat(channel.receive(signed("[]")).status()).isEqualTo(400);
    assertThat(recorder.clicks()).hasSize(1);
    assertThat(recorder.texts()).containsExactly("/stop");
  }

  /** Seen to fail when the event is left out. */
  @Test
  void an_uninstalled_app_stops_the_channel() {
    SlackChannel channel = harness.start(SlackSettings.Mode.EVENTS);
    String body = slack.callback(JsonValue.object().with("type", "app_uninstalled")).toString();
    assertThat(channel.receive(signed(body)).status()).isEqualTo(200);

    SlackHarness.await(() -> channel.status() instanceof ChannelStatus.Stopped);
    assertThat(recorder.notices()).hasSize(1);
  }

  @Test
  void messages_from_before_the_start_are_fetched_with_requests_too() {
    harness.start(SlackSettings.Mode.EVENTS);
    harness.stop();
    slack.say(CHANNEL, ANN, "Missed.");
    harness.start(SlackSettings.Mode.EVENTS);

    harness.awaitTexts("Missed.");
  }

  /** Seen to fail when requests are taken in each mode. */
  @Test
  void a_channel_with_sockets_takes_no_requests() {
    SlackChannel channel = harness.start();
    assertThat(channel.receive(signed(message("Fix it."))).status()).isEqualTo(404);
  }
}
