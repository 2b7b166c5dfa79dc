package dev.midcourse.channels.discord;

import static dev.midcourse.channels.discord.FakeDiscord.ANN;
import static dev.midcourse.channels.discord.FakeDiscord.CHANNEL;
import static dev.midcourse.channels.discord.FakeDiscord.DIRECT;
import static dev.midcourse.channels.discord.FakeDiscord.THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.discord.api.DiscordAnswer;
import dev.midcourse.channels.discord.api.DiscordClient;
import dev.midcourse.channels.discord.api.DiscordRateLimits;
import dev.midcourse.channels.discord.api.DiscordRoute;
import dev.midcourse.channels.discord.api.DiscordSettings;
import dev.midcourse.channels.discord.api.Snowflake;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the channel sends, and what it takes the answers of Discord for. */
@Timeout(60)
class DiscordSendingTest {
  private static final String MESSAGES = "/channels/\\d+/messages";

  private DiscordFixture on;
  private FakeDiscord discord;

  @BeforeEach
  void open() throws IOException {
    on = new DiscordFixture();
    discord = on.discord;
  }

  @AfterEach
  void close() throws IOException {
    on.close();
  }

  static ChannelRequest text(String markdown) {
    return new ChannelRequest.SendText(DiscordFixture.CHAT, markdown, Optional.empty());
  }

  private static OutboundId id(String text) {
    return OutboundId.of(text);
  }

  private static String sent(SendResult result) {
    assertThat(result).isInstanceOf(SendResult.Sent.class);
    return ((SendResult.Sent) result).message();
  }

  @Test
  void aTextNotifiesNobodyShowsNoPreviewsAndIsAReplyInItsThread() {
    DiscordChannel channel = on.open();
    ChannelRequest request =
        new ChannelRequest.SendText(
            DiscordFixture.THREAD, "**done** @everyone", Optional.of("100000000000000999"));

    String message = sent(channel.send(id("o1"), request));

    assertThat(discord.stored(THREAD, message).string("content")).contains("**done** @everyone");
    JsonValue.Obj body = discord.bodies("POST", MESSAGES).getFirst();
    assertThat(body.object("allowed_mentions")).hasToString("{\"parse\":[]}");
    assertThat(body.number("flags")).contains(4L);
    assertThat(body.string("nonce").orElseThrow()).hasSizeBetween(1, 25);
    assertThat(body.is("enforce_nonce")).isTrue();
    assertThat(body.object("message_reference").string("message_id"))
        .contains("100000000000000999");
    assertThat(body.object("message_reference").get("fail_if_not_exists"))
        .contains(JsonValue.of(false));
  }

  @Test
  void aCardHasRowsOfFiveButtonsAndLosesThemWhenItIsClosed() {
    DiscordChannel channel = on.open();
    List<Button> buttons = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      buttons.add(new Button("b" + i, "👍".repeat(60)));
    }

    String card =
        sent(
            channel.send(
                id("o1"),
                new ChannelRequest.SendCard(DiscordFixture.CHAT, "Title", "Text", buttons)));

    List<JsonValue.Obj> rows = discord.stored(CHANNEL, card).objects("components");
    assertThat(rows).hasSize(2);
    assertThat(rows.getFirst().objects("components")).hasSize(5);
    String label = rows.getFirst().objects("components").getFirst().string("label").orElseThrow();
    assertThat(label).hasSizeLessThanOrEqualTo(80).endsWith("👍…");
    sent(channel.send(id("o2"), new ChannelRequest.CloseCard(DiscordFixture.CHAT, card, "Done.")));
    assertThat(discord.stored(CHANNEL, card).objects("components")).isEmpty();
    assertThat(discord.stored(CHANNEL, card).string("content")).contains("Done.");
  }

  @Test
  void theLongestCardThatTheOutboxMakesFits() {
    DiscordChannel channel = on.open();
    int room = channel.capabilities().limits().maxText() - "Title".length() - 2;

    SendResult result =
        channel.send(
            id("o1"),
            new ChannelRequest.SendCard(
                DiscordFixture.CHAT, "Title", "x".repeat(room), List.of(new Button("b", "B"))));

    sent(result);
  }

  /** Seen to fail when a click is not answered. */
  @Test
  void a_click_is_answered_at_once_while_the_messages_before_it_wait() throws Exception {
    DiscordChannel channel = on.connect();
    String card =
        sent(
            channel.send(
                id("o1"),
                new ChannelRequest.SendCard(
                    DiscordFixture.CHAT, "Title", "Text", List.of(new Button("yes", "Yes")))));
    CountDownLatch release = new CountDownLatch(1);
    on.recorder.before =
        () -> {
          release.await();
          return true;
        };
    discord.write(CHANNEL, "slow");

    String click = discord.click(CHANNEL, card, "yes");

    await().until(() -> discord.isAnswered(click));
    await().until(() -> on.recorder.clicks.size() == 1);
    assertThat(on.recorder.texts()).isEmpty();
    release.countDown();
    assertThat(on.recorder.clicks.getFirst().button()).isEqualTo("yes");
    assertThat(on.recorder.clicks.getFirst().card().message()).isEqualTo(card);
    assertThat(on.recorder.clicks.getFirst().sender().identity().orElseThrow().handle())
        .isEqualTo(ANN);
    await().until(() -> !discord.bodies("POST", "/webhooks/.*").isEmpty());
    JsonValue.Obj told = discord.bodies("POST", "/webhooks/.*").getFirst();
    assertThat(told.string("content")).contains("Approved.");
    assertThat(told.number("flags")).contains(64L);
  }

  /** Seen to fail when each delivery gets a key of its own. */
  @Test
  void a_late_click_and_a_repeated_one_are_taken_with_the_same_key() {
    DiscordChannel channel = on.connect();
    String card = sent(channel.send(id("o1"), text("card")));
    String late = Snowflake.at(java.time.Instant.now().minusSeconds(60));
    JsonValue.Obj interaction = discord.interaction(late, CHANNEL, card, "yes");

    discord.gateway.dispatch("INTERACTION_CREATE", interaction);
    discord.gateway.dispatch("INTERACTION_CREATE", interaction);

    await().until(() -> on.recorder.clicks.size() == 2);
    assertThat(on.recorder.clicks.get(0).updateKey())
        .isEqualTo(on.recorder.clicks.get(1).updateKey());
    assertThat(discord.bodies("POST", "/webhooks/.*")).isEmpty();
  }

  /** Seen to fail without {@code enforce_nonce}. */
  @Test
  void a_message_whose_answer_was_lost_is_sent_once() {
    DiscordChannel channel = on.connect();
    discord.loseAnswer("POST", MESSAGES);

    assertThat(channel.send(id("o1"), text("hello"))).isInstanceOf(SendResult.Unknown.class);
    sent(channel.send(id("o1"), text("hello")));

    assertThat(discord.stored(CHANNEL)).hasSize(1);
  }

  /** Seen to fail without a search of the history. */
  @Test
  void a_message_whose_answer_was_lost_is_sent_once_when_the_network_is_gone_for_an_hour() {
    DiscordChannel channel = on.connect();
    discord.loseAnswer("POST", MESSAGES);
    assertThat(channel.send(id("o1"), text("hello"))).isInstanceOf(SendResult.Unknown.class);
    on.clock.advance(Duration.ofHours(1));
    discord.forgetNonces();

    sent(channel.send(id("o1"), text("hello")));

    assertThat(discord.stored(CHANNEL)).hasSize(1);
    sent(channel.send(id("o2"), text("hello")));
    assertThat(discord.stored(CHANNEL)).hasSize(2);
  }

  /** Seen to fail when the history is not searched. */
  @Test
  void a_message_that_an_earlier_process_has_sent_is_found_in_the_history() {
    DiscordChannel first = on.connect();
    on.awaitStored(discord.write(CHANNEL, "go"));
    sent(first.send(id("o1"), text("hello")));
    first.close();
    discord.forgetNonces();
    on.clock.advance(Duration.ofMinutes(30));

    DiscordChannel second = on.connect();
    sent(second.send(id("o1"), text("hello")));

    assertThat(discord.stored(CHANNEL)).hasSize(2);
  }

  /** Seen to fail when the time that Discord names is not kept. */
  @Test
  void t378_no_call_is_made_before_the_time_that_discord_names() {
    DiscordChannel channel = on.open();
    discord.refuse(1, "POST", MESSAGES, FakeDiscord.limited(30.25, false));

    assertThat(channel.send(id("o1"), text("a")))
        .isEqualTo(
            new SendResult.RetryAfter(
                Duration.ofMillis(30_250), "Discord limits the calls of the bot"));
    assertThat(channel.send(id("o1"), text("a"))).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(discord.count("POST", MESSAGES)).isOne();
    ChatAddress other = new ChatAddress(DiscordFixture.NAME, DIRECT, Optional.empty());
    sent(channel.send(id("o2"), new ChannelRequest.SendText(other, "b", Optional.empty())));

    on.clock.advance(Duration.ofSeconds(31));
    sent(channel.send(id("o1"), text("a")));
    discord.refuse(1, "POST", MESSAGES, FakeDiscord.limited(5, true));
    assertThat(channel.send(id("o3"), text("c"))).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(channel.send(id("o4"), new ChannelRequest.SendText(other, "d", Optional.empty())))
        .isInstanceOf(SendResult.RetryAfter.class);
  }

  /** Seen to fail when the headers of limits are ignored. */
  @Test
  void an_empty_bucket_is_left_alone_until_its_reset() {
    DiscordChannel channel = on.open();
    java.util.Map<String, String> headers =
        java.util.Map.of(
            "X-RateLimit-Bucket", "abc",
            "X-RateLimit-Remaining", "0",
            "X-RateLimit-Reset-After", "1.5");
    discord.refuse(
        1,
        "POST",
        MESSAGES,
        new FakeDiscord.Reply(200, "{\"id\":\"100000000000000777\"}", headers));

    sent(channel.send(id("o1"), text("a")));
    assertThat(channel.send(id("o2"), text("b"))).isInstanceOf(SendResult.RetryAfter.class);

    assertThat(discord.count("POST", MESSAGES)).isOne();
    on.clock.advance(Duration.ofSeconds(2));
    sent(channel.send(id("o2"), text("b")));
  }

  /** Seen to fail when a forbidden call is made again at once. */
  @Test
  void a_forbidden_call_is_not_repeated_so_that_the_address_is_not_banned() {
    DiscordChannel channel = on.open();
    discord.refuse(
        1_000, "POST", MESSAGES, FakeDiscord.Reply.error(403, 50_013, "Missing Permissions"));

    for (int i = 0; i < 50; i++) {
      assertThat(channel.send(id("o" + i), text("a"))).isInstanceOf(SendResult.Refused.class);
    }

    assertThat(discord.count("POST", MESSAGES)).isOne();
    on.clock.advance(Duration.ofMinutes(2));
    assertThat(channel.send(id("o"), text("a"))).isInstanceOf(SendResult.Refused.class);
    assertThat(discord.count("POST", MESSAGES)).isEqualTo(2);
  }

  /** Seen to fail when bad answers are not counted. */
  @Test
  void calls_stop_before_too_many_bad_answers() {
    DiscordRateLimits limits = new DiscordRateLimits(on.clock);
    DiscordRoute route = new DiscordRoute("POST", "/channels/" + CHANNEL + "/messages");
    for (int i = 0; i < DiscordRateLimits.MAX_BAD_ANSWERS; i++) {
      limits.refused(route, new DiscordAnswer.Failed(401, 0, "no"));
    }

    assertThat(limits.refusal(route)).containsInstanceOf(DiscordAnswer.Limited.class);
    on.clock.advance(Duration.ofMinutes(11));
    assertThat(limits.refusal(route)).isEmpty();
  }

  @Test
  void whatDiscordAnswersIsTakenForWhatItIs() {
    DiscordChannel channel = on.open();
    discord.refuse(1, "POST", MESSAGES, FakeDiscord.Reply.error(503, 0, "busy"));
    assertThat(channel.send(id("o1"), text("a"))).isInstanceOf(SendResult.RetryAfter.class);
    discord.refuse(1, "POST", MESSAGES, FakeDiscord.Reply.error(502, 0, "bad gateway"));
    assertThat(channel.send(id("o2"), text("a"))).isInstanceOf(SendResult.Unknown.class);
    discord.refuse(1, "POST", MESSAGES, FakeDiscord.Reply.error(400, 50_007, "no"));
    assertThat(channel.send(id("o3"), text("a")))
        .isEqualTo(
            new SendResult.Refused(
                "the person does not take direct messages of the bot (error 50007)"));
    ChatAddress gone = new ChatAddress(DiscordFixture.NAME, "42", Optional.empty());
    assertThat(channel.send(id("o4"), new ChannelRequest.SendText(gone, "a", Optional.empty())))
        .isInstanceOf(SendResult.Refused.class);
    ChatAddress hostile = new ChatAddress(DiscordFixture.NAME, "1/../2", Optional.empty());
    long before = discord.requests.size();
    assertThat(channel.send(id("o5"), new ChannelRequest.SendText(hostile, "a", Optional.empty())))
        .isInstanceOf(SendResult.Refused.class);
    assertThat(discord.requests).hasSize((int) before);
  }

  /** Seen to fail when the limit of edits counts as a refusal. */
  @Test
  void where_no_more_edits_are_allowed_a_new_message_takes_the_place() {
    DiscordChannel channel = on.open();
    String old = sent(channel.send(id("o1"), text("progress 1")));
    discord.refuse(
        1,
        "PATCH",
        ".*/messages/" + old,
        FakeDiscord.Reply.error(429 - 29, 30_046, "Maximum number of edits"));

    String next =
        sent(channel.send(id("o2"), new ChannelRequest.EditText(DiscordFixture.CHAT, old, "2")));
    String last =
        sent(channel.send(id("o3"), new ChannelRequest.EditText(DiscordFixture.CHAT, old, "3")));

    assertThat(next).isNotEqualTo(old);
    assertThat(last).isEqualTo(next);
    assertThat(discord.stored(CHANNEL)).hasSize(2);
    assertThat(discord.stored(CHANNEL, next).string("content")).contains("3");
  }

  /** Seen to fail when the thread is not opened. */
  @Test
  void t382_a_message_in_an_archived_thread_is_edited_after_it_is_opened() {
    DiscordChannel channel = on.open();
    ChannelRequest first =
        new ChannelRequest.SendText(DiscordFixture.THREAD, "one", Optional.empty());
    String message = sent(channel.send(id("o1"), first));
    discord.refuse(
        1, "PATCH", ".*/messages/.*", FakeDiscord.Reply.error(400, 50_083, "Thread is archived"));

    sent(channel.send(id("o2"), new ChannelRequest.EditText(DiscordFixture.THREAD, message, "2")));

    assertThat(discord.stored(THREAD, message).string("content")).contains("2");
    assertThat(discord.bodies("PATCH", "/channels/" + THREAD)).hasSize(1);
  }

  /** Seen to fail when reactions of an earlier process are not asked for. */
  @Test
  void t383_one_reaction_is_on_a_message_and_after_a_restart_too() {
    DiscordChannel channel = on.open();
    String message = discord.write(CHANNEL, "go");
    sent(channel.send(id("o1"), reaction(message, MessageStatus.RUNNING)));
    sent(channel.send(id("o2"), reaction(message, MessageStatus.STEERED)));
    assertThat(discord.reactions(CHANNEL, message)).containsExactly("✍️");

    on.clock.advance(Duration.ofSeconds(1));
    DiscordChannel next = on.open();
    sent(next.send(id("o3"), reaction(message, MessageStatus.DONE)));

    assertThat(discord.reactions(CHANNEL, message)).containsExactly("✅");
  }

  private static ChannelRequest reaction(String message, MessageStatus status) {
    return new ChannelRequest.SetReaction(DiscordFixture.CHAT, message, status);
  }

  /** Seen to fail when a file is sent under the name that it was given. */
  @Test
  void a_file_with_a_hostile_name_is_sent_under_a_safe_one(@TempDir Path folder)
      throws IOException {
    DiscordChannel channel = on.open();
    Path file = Files.writeString(folder.resolve("f"), "the content");

    sent(
        channel.send(
            id("o1"),
            new ChannelRequest.SendFile(
                DiscordFixture.CHAT,
                file,
                "../a\"\r\nContent-Type: text/html\r\n\r\n.txt",
                Optional.of("see"))));

    FakeDiscord.Recorded upload = discord.requests.getLast();
    assertThat(upload.contentType()).startsWith("multipart/form-data");
    assertThat(upload.body()).contains("the content").contains("name=\"files[0]\"; filename=\"");
    assertThat(upload.body()).doesNotContain("text/html\r\n").doesNotContain("../");
    assertThat(discord.stored(CHANNEL).getLast().string("content")).contains("see");
  }

  /** Seen to fail when files are fetched from every host. */
  @Test
  void a_file_is_fetched_from_discord_only_and_its_address_renewed(@TempDir Path folder)
      throws IOException {
    DiscordChannel channel = on.connect();
    String base = discord.api().resolve("/attachments/files/").toString();
    JsonValue.Obj file =
        JsonValue.object()
            .with("id", "1")
            .with("filename", "../../etc/passwd\u202e")
            .with("content_type", "text/plain")
            .with("size", 19)
            .with("url", base + "expired");
    discord.write(
        CHANNEL, "", JsonValue.object().with("attachments", new JsonValue.Arr(List.of(file))));
    await().until(() -> on.recorder.messages.size() == 1);
    InboundMessage message = on.recorder.messages.getFirst();
    Attachment attachment = message.attachments().getFirst();

    Path target = folder.resolve("fetched");
    channel.fetch(attachment, target, 100);

    assertThat(target).hasContent("content of the file");
    assertThatThrownBy(() -> channel.fetch(attachment, folder.resolve("big"), 5))
        .isInstanceOf(IOException.class);
    Attachment foreign =
        new Attachment("x", "text/plain", 1, "http://127.0.0.1:1/x", Optional.empty());
    assertThatThrownBy(() -> channel.fetch(foreign, folder.resolve("y"), 100))
        .hasMessageContaining("not of the platform");
  }

  @Test
  void directMessagesWithAPersonAreOpenedOnce() {
    DiscordChannel channel = on.open();
    ChatAddress person =
        new ChatAddress(DiscordFixture.NAME, DiscordSender.PERSON + ANN, Optional.empty());

    sent(channel.send(id("o1"), new ChannelRequest.SendText(person, "a", Optional.empty())));
    sent(channel.send(id("o2"), new ChannelRequest.SendText(person, "b", Optional.empty())));

    assertThat(discord.stored(DIRECT)).hasSize(2);
    assertThat(discord.count("POST", "/users/@me/channels")).isOne();
    channel.showTyping(person);
    assertThat(discord.count("POST", "/channels/" + DIRECT + "/typing")).isOne();
  }

  /** Seen to fail when a failure names the secrets. */
  @Test
  void the_token_is_in_no_log_and_no_error() throws Exception {
    List<String> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord one) {
            synchronized (logged) {
              logged.add(
                  one.getMessage()
                      + java.util.Arrays.toString(one.getParameters())
                      + one.getThrown());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.midcourse.channels");
    Level before = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
    try {
      DiscordChannel channel = on.connect();
      String hidden = "secret-part-of-the-token";
      discord.loseAnswer("POST", MESSAGES);
      assertThat(channel.send(id("o1"), text("a")).toString()).doesNotContain(hidden);
      discord.gateway.cutAll();
      await().until(() -> !discord.gateway.resumes.isEmpty());
      discord.revoked = true;
      assertThat(channel.send(id("o2"), text("a")).toString()).doesNotContain(hidden);
      await().until(() -> channel.status() instanceof dev.midcourse.channels.ChannelStatus.Stopped);
      assertThat(channel.status().toString()).doesNotContain(hidden);
      assertThat(on.recorder.notices.toString()).doesNotContain(hidden);
      synchronized (logged) {
        assertThat(logged).isNotEmpty().allSatisfy(one -> assertThat(one).doesNotContain(hidden));
      }
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
    }
  }

  @Test
  void theCheckTellsWhatIsMissingAndHowToRepairIt() {
    DiscordSettings settings =
        new DiscordSettings(
            DiscordFixture.NAME,
            new dev.midcourse.channels.kind.ChannelSecret(FakeDiscord.TOKEN),
            discord.api(),
            true,
            DiscordSettings.Pauses.DEFAULT);
    try (DiscordClient client = new DiscordClient(settings, on.clock)) {
      discord.applicationFlags = 0;
      List<ChannelCheck> checks = new DiscordChecker(client, true).check();
      assertThat(checks)
          .extracting(ChannelCheck::result)
          .containsExactly(
              ChannelCheck.Result.OK, ChannelCheck.Result.FAILED, ChannelCheck.Result.WARNING);
      assertThat(checks.get(1).remedy()).contains("Message Content Intent");
      assertThat(checks.get(2).text()).contains("Add Reactions").doesNotContain("Send Messages,");
      discord.revoked = true;
      assertThat(new DiscordChecker(client, true).check().getFirst().remedy())
          .contains("Reset Token");
    }
  }
}
