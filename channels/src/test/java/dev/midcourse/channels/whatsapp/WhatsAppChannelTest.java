package dev.midcourse.channels.whatsapp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.ChannelStatus;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.MemoryState;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.channels.http.HttpReceiver.HttpCall;
import dev.midcourse.channels.http.HttpReceiver.HttpReply;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channel against a fake of the Cloud API, made from its documented shapes. */
class WhatsAppChannelTest {
  private static final ChannelName NAME = ChannelName.of("whatsapp");
  private static final String USER = "US.13491208655302741918";
  private static final ChannelSecret APP = new ChannelSecret("the secret of the app");
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final ChatAddress ANN = new ChatAddress(NAME, USER, Optional.empty());

  @TempDir Path folder;
  private final FakeWhatsApp platform = new FakeWhatsApp();
  private final RecordingListener listener = new RecordingListener();
  private final WhatsAppChannel channel = open(FakeWhatsApp.TOKEN);

  @BeforeEach
  void start() {
    channel.start(listener);
  }

  @AfterEach
  void close() {
    channel.close();
    platform.close();
  }

  private MapConfig config(String token) {
    return MapConfig.of(
        NAME.value(),
        Map.of(
            "phone_number_id",
            FakeWhatsApp.PHONE,
            "token",
            token,
            "app_secret",
            APP.reveal(),
            "verify_token",
            "invented",
            "api_url",
            platform.url()));
  }

  private WhatsAppChannel open(String token) {
    return (WhatsAppChannel)
        new WhatsAppKind().open(config(token), new MemoryState().context(InstantSource.fixed(NOW)));
  }

  private HttpReply deliver(String body) {
    return channel.receive(
        new HttpCall(
            "POST",
            Map.of("x-hub-signature-256", WhatsAppSignature.sign(APP, body)),
            Map.of(),
            body));
  }

  private static String delivery(String value) {
    return """
    {"object":"whatsapp_business_account","entry":[{"id":"8856996819413533","changes":[{"field":"messages",
    "value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"15550783881",
    "phone_number_id":"%s"},"contacts":[{"profile":{"name":"Ann\\u202e"},"wa_id":"16505551234",
    "user_id":"%s"}],%s}}]}]}\
    """
        .formatted(FakeWhatsApp.PHONE, USER, value);
  }

  private static String message(String id, String more) {
    return delivery(
        "\"messages\":[{\"id\":\"%s\",\"from_user_id\":\"%s\",\"timestamp\":\"1749416383\",%s}]"
            .formatted(id, USER, more));
  }

  private SendResult send(ChannelRequest request) {
    return channel.send(OutboundId.of("out-1"), request);
  }

  private SendResult sendText(String text) {
    return send(new ChannelRequest.SendText(ANN, text, Optional.empty()));
  }

  private JsonValue.Obj lastMessage() {
    return platform.messages().getLast();
  }

  @Test
  void aMessageIsKnownByItsSenderReplyAndTime() {
    String body =
        message(
            "wamid.A",
            "\"type\":\"text\",\"text\":{\"body\":\"Use tabs 👍\\u0000\"},\"context\":{\"from\":\"15550783881\",\"id\":\"wamid.Q\"}");

    assertThat(deliver(body).status()).isEqualTo(200);

    InboundMessage message = listener.messages().getFirst();
    assertThat(message.text()).isEqualTo("Use tabs 👍");
    assertThat(message.mentioned()).isTrue();
    assertThat(message.ref().chat()).isEqualTo(USER);
    assertThat(message.updateKey()).isEqualTo("message:wamid.A");
    assertThat(message.replyTo().orElseThrow().ours()).isTrue();
    assertThat(message.replyTo().orElseThrow().message()).isEqualTo("wamid.Q");
    assertThat(message.sentAt()).isEqualTo(Instant.ofEpochSecond(1_749_416_383));
  }

  /** Seen to fail when the signature is taken over the parsed body, or not compared. */
  @Test
  void t480_a_forged_delivery_changes_nothing() {
    String body = message("wamid.A", "\"type\":\"text\",\"text\":{\"body\":\"stop\"}");
    List<Map<String, String>> forged =
        List.of(
            Map.of(),
            Map.of("x-hub-signature-256", "sha256=" + "0".repeat(64)),
            Map.of("x-hub-signature-256", WhatsAppSignature.sign(APP, body + " ")),
            Map.of(
                "x-hub-signature-256", WhatsAppSignature.sign(new ChannelSecret("another"), body)));

    for (Map<String, String> headers : forged) {
      assertThat(channel.receive(new HttpCall("POST", headers, Map.of(), body)).status())
          .isEqualTo(401);
    }
    assertThat(listener.messages()).isEmpty();
  }

  /** Seen to fail when the verify token is not compared. */
  @Test
  void the_address_is_confirmed_only_to_the_platform() {
    Map<String, String> right =
        Map.of(
            "hub.mode", "subscribe", "hub.verify_token", "invented", "hub.challenge", "1158201444");
    Map<String, String> wrong =
        Map.of("hub.mode", "subscribe", "hub.verify_token", "x", "hub.challenge", "1158201444");

    assertThat(channel.receive(new HttpCall("GET", Map.of(), right, "")))
        .isEqualTo(HttpReply.text(200, "1158201444"));
    assertThat(channel.receive(new HttpCall("GET", Map.of(), wrong, "")).status()).isEqualTo(403);
  }

  /** Seen to fail when 200 is answered before the listener has returned. */
  @Test
  void t482_a_delivery_that_cannot_be_stored_is_asked_for_again_and_keeps_its_key() {
    String body = message("wamid.A", "\"type\":\"text\",\"text\":{\"body\":\"once\"}");
    listener.failOnce(new IllegalStateException("disk full"));

    assertThat(deliver(body).status()).isEqualTo(503);
    assertThat(deliver(body).status()).isEqualTo(200);
    assertThat(deliver(body).status()).isEqualTo(200);

    assertThat(listener.messages())
        .extracting(InboundMessage::updateKey)
        .containsOnly("message:wamid.A");
  }

  /** Seen to fail when every refusal is asked for again. */
  @Test
  void a_message_that_is_invalid_for_ever_does_not_block_the_others() {
    listener.failOnce(Problem.invalid("text", "none", "bad").refused());
    String two =
        delivery(
            "\"messages\":[{\"id\":\"wamid.1\",\"from\":\"16505551234\",\"type\":\"text\",\"text\":{\"body\":\"bad\"}},"
                + "{\"id\":7},{\"id\":\"wamid.2\",\"from\":\"16505551234\",\"type\":\"text\",\"text\":{\"body\":\"good\"}}]");

    assertThat(deliver(two).status()).isEqualTo(200);

    assertThat(listener.texts()).containsExactly("good");
  }

  /**
   * The phone number may be missing, and may be given to somebody else later.
   *
   * <p>Seen to fail when the phone number goes before the stable id.
   */
  @Test
  void a_person_is_known_by_the_stable_id_and_moves_with_it() {
    deliver(
        message(
            "wamid.A",
            "\"from\":\"16505551234\",\"type\":\"text\",\"text\":{\"body\":\"with number\"}"));
    deliver(message("wamid.B", "\"type\":\"text\",\"text\":{\"body\":\"without\"}"));
    deliver(
        delivery(
            "\"user_id_update\":[{\"wa_id\":\"16505551234\",\"user_id\":{\"previous\":\"%s\",\"current\":\"US.2\"}}]"
                .formatted(USER)));

    assertThat(listener.messages())
        .extracting(one -> one.sender().identity())
        .containsOnly(Optional.of(new Identity(NAME, USER)));
    assertThat(listener.notices()).containsExactly(new ChannelNotice.ChatMoved(USER, "US.2"));
    sendText("hello");
    assertThat(lastMessage().string("recipient")).contains(USER);
    assertThat(lastMessage().string("to")).isEmpty();
  }

  /** Seen to fail when a click names itself as the card. */
  @Test
  void a_click_has_its_card_and_its_answer_is_a_message() {
    deliver(
        message(
            "wamid.C",
            "\"type\":\"interactive\",\"context\":{\"id\":\"wamid.CARD\"},\"interactive\":{\"type\":\"button_reply\",\"button_reply\":{\"id\":\"b1\",\"title\":\"Approve\"}}"));
    deliver(
        message(
            "wamid.D",
            "\"type\":\"interactive\",\"context\":{\"id\":\"wamid.CARD\"},\"interactive\":{\"type\":\"list_reply\",\"list_reply\":{\"id\":\"b2\",\"title\":\"Deny\"}}"));

    assertThat(listener.clicks()).extracting(one -> one.button()).containsExactly("b1", "b2");
    assertThat(listener.clicks().getFirst().card().message()).isEqualTo("wamid.CARD");
    assertThat(listener.clicks().getFirst().updateKey()).isEqualTo("click:wamid.C");
    await().until(() -> platform.messages().size() == 2);
    assertThat(lastMessage().object("text").string("body")).contains("Done.");
  }

  /** Seen to fail when ten answers are buttons. */
  @Test
  void three_answers_are_buttons_ten_are_a_list_and_long_labels_are_cut() {
    for (int count : List.of(1, 3, 4, 10)) {
      List<Button> buttons =
          IntStream.range(0, count)
              .mapToObj(i -> new Button("b" + i, "A long answer with an emoji 👍👍 " + i))
              .toList();
      assertThat(send(new ChannelRequest.SendCard(ANN, "Allow?", "`rm -rf`", buttons)))
          .isInstanceOf(SendResult.Sent.class);
      assertThat(lastMessage().object("interactive").string("type"))
          .contains(count > 3 ? "list" : "button");
    }
    assertThat(channel.capabilities().limits().maxButtons()).isEqualTo(10);
  }

  /** Seen to fail when the words of the platform are shown. */
  @Test
  void outside_of_the_24_hours_a_message_is_refused_with_words() {
    platform.failOnce(400, 131047, "Re-engagement message");

    assertThat(sendText("hello"))
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused -> assertThat(refused.reason()).contains("24 hours").contains("131047"));
  }

  private static String failed(String message, int code) {
    return delivery(
        "\"statuses\":[{\"id\":\"%1$s\",\"status\":\"sent\",\"recipient_user_id\":\"%2$s\"},{\"id\":\"%1$s\",\"status\":\"failed\",\"recipient_user_id\":\"%2$s\",\"errors\":[{\"code\":%3$d,\"title\":\"Some reason\"}]}]"
            .formatted(message, USER, code));
  }

  /**
   * The platform answers 200 and tells later that the message did not arrive.
   *
   * <p>Seen to fail when the status is only logged, and when it is confirmed without being stored.
   */
  @Test
  void t484_a_message_that_fails_later_is_reported_until_that_is_stored() {
    SendResult.Sent sent = (SendResult.Sent) sendText("hello");
    listener.failOnce(
        Problem.of(Problem.Code.UNAVAILABLE, "store", "room", "the disk is full").refused());

    assertThat(deliver(failed(sent.message(), 131053)).status()).isEqualTo(503);
    assertThat(listener.undelivered()).isEmpty();
    assertThat(deliver(failed(sent.message(), 131053)).status()).isEqualTo(200);

    assertThat(listener.undelivered())
        .containsExactly(
            new RecordingListener.Undelivered(
                sent.message(), "the platform does not take this kind of content (error 131053)"));
    assertThat(platform.messages()).as("it is not sent again").hasSize(1);
  }

  /** Seen to fail when the status is reported only for its message. */
  @Test
  void a_message_that_fails_later_closes_the_chat_with_its_reason() {
    deliver(failed("wamid.1", 131047));

    assertThat(listener.notices())
        .singleElement()
        .isInstanceOfSatisfying(
            ChannelNotice.ChatClosed.class,
            closed -> assertThat(closed.reason()).contains("24 hours"));
  }

  /** Seen to fail when an error of the server is tried again. */
  @Test
  void too_many_messages_wait_and_a_lost_answer_is_unknown() {
    platform.failOnce(400, 130429, "Rate limit hit");
    assertThat(sendText("a")).isInstanceOf(SendResult.RetryAfter.class);
    platform.failOnce(400, 131056, "Pair rate limit hit");
    assertThat(sendText("a")).isInstanceOf(SendResult.RetryAfter.class);
    platform.cutOnce();
    assertThat(sendText("a")).isInstanceOf(SendResult.Unknown.class);
    platform.failOnce(500, 131000, "Something went wrong");
    assertThat(sendText("a")).isInstanceOf(SendResult.Unknown.class);
    platform.failOnce(400, 131026, "Message undeliverable");
    assertThat(sendText("a")).isInstanceOf(SendResult.Refused.class);
    platform.close();
    assertThat(sendText("a")).isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when the text of the platform is shown as it is. */
  @Test
  void t490_a_revoked_token_is_said_with_a_remedy_and_never_shown() {
    WhatsAppChannel revoked = open("another-token-of-the-test");
    revoked.start(listener);

    SendResult result =
        revoked.send(
            OutboundId.of("out-1"), new ChannelRequest.SendText(ANN, "hello", Optional.empty()));

    assertThat(result)
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused ->
                assertThat(refused.reason())
                    .contains("new token")
                    .doesNotContain("EAAG", "another"));
    assertThat(revoked.status()).isInstanceOf(ChannelStatus.Stopped.class);
    assertThat(listener.notices()).singleElement().isInstanceOf(ChannelNotice.Stopped.class);
    List<ChannelCheck> checks =
        new WhatsAppKind()
            .check(
                config("another-token-of-the-test"),
                new MemoryState().context(InstantSource.fixed(NOW)));
    assertThat(checks)
        .singleElement()
        .extracting(ChannelCheck::result)
        .isEqualTo(ChannelCheck.Result.FAILED);
    assertThat(checks.toString()).doesNotContain("another-token");
    revoked.close();
  }

  /** Seen to fail when files are fetched from every host. */
  @Test
  void files_come_from_hosts_of_the_platform_only_and_names_are_only_shown() throws Exception {
    deliver(
        message(
            "wamid.F",
            "\"type\":\"document\",\"document\":{\"id\":\"9001\",\"filename\":\"../../etc/passwd\",\"mime_type\":\"text/plain\",\"caption\":\"look\"}"));
    Attachment file = listener.messages().getFirst().attachments().getFirst();
    assertThat(file.reference()).isEqualTo("9001");
    assertThat(listener.texts()).containsExactly("look");

    channel.fetch(file, folder.resolve("a"), 100);
    assertThat(folder.resolve("a")).hasContent("12345");
    assertThatThrownBy(() -> channel.fetch(file, folder.resolve("b"), 4))
        .isInstanceOf(IOException.class);
    Attachment elsewhere = new Attachment("x", "text/plain", 0, "9002", Optional.empty());
    assertThatThrownBy(() -> channel.fetch(elsewhere, folder.resolve("c"), 100))
        .hasMessageContaining("not of the platform");
    assertThat(folder.resolve("c")).doesNotExist();
  }

  @Test
  void aFileIsUploadedAndThenSent() throws IOException {
    Path file = Files.writeString(folder.resolve("log.txt"), "lines");

    assertThat(
            send(
                new ChannelRequest.SendFile(
                    ANN, file, "a\"b\r\n.txt", Optional.of("The **log**."))))
        .isInstanceOf(SendResult.Sent.class);

    assertThat(platform.uploads().getFirst()).contains("lines").contains("filename=\"a_b__.txt\"");
    assertThat(lastMessage().object("document").string("caption")).contains("The log.");
  }

  @Test
  void aReactionReplacesTheOneBeforeAndTypingNeedsAMessage() {
    send(new ChannelRequest.SetReaction(ANN, "wamid.A", MessageStatus.RUNNING));
    assertThat(lastMessage().object("reaction").string("emoji")).contains("👀");
    channel.showTyping(ANN);
    assertThat(platform.messages()).hasSize(1);
    deliver(message("wamid.A", "\"type\":\"text\",\"text\":{\"body\":\"x\"}"));
    channel.showTyping(ANN);
    assertThat(lastMessage().string("message_id")).contains("wamid.A");
  }

  @Test
  void theCheckNamesTheNumberAndTheTerms() {
    assertThat(
            new WhatsAppKind()
                .check(
                    config(FakeWhatsApp.TOKEN),
                    new MemoryState().context(InstantSource.fixed(NOW))))
        .extracting(ChannelCheck::text)
        .anyMatch(text -> text.contains("+1 555 0100"))
        .anyMatch(text -> text.contains("terms"));
  }
}
