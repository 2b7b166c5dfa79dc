package dev.midcourse.channels.slack;

import static dev.midcourse.channels.slack.FakeSlack.CHANNEL;
import static dev.midcourse.channels.slack.SlackHarness.id;
import static dev.midcourse.channels.slack.SlackHarness.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.LookUpResult;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.slack.api.SlackClient;
import dev.midcourse.channels.slack.api.SlackSettings;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files to people and from them. */
class SlackFilesTest {
  @TempDir Path folder;

  private SlackHarness harness;
  private FakeSlack slack;
  private SlackChannel channel;

  @BeforeEach
  void open() throws Exception {
    harness = new SlackHarness();
    slack = harness.slack;
    channel = harness.create(SlackSettings.Mode.SOCKET);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private static Attachment attachment(String reference, long bytes) {
    return new Attachment("plan.txt", "text/plain", bytes, reference, Optional.empty());
  }

  private Attachment plan() {
    return attachment(slack.url("/files/plan").toString(), 8);
  }

  private ChannelRequest.SendFile request() throws IOException {
    Path file = folder.resolve("report");
    Files.writeString(file, "all green");
    return new ChannelRequest.SendFile(
        to(CHANNEL, "1.1"), file, "../re\u202Eport.txt", Optional.of("The **report**"));
  }

  /** Seen to fail when a file is sent to the chat instead of the thread. */
  @Test
  void a_file_is_sent_in_three_steps_into_its_thread() throws Exception {
    assertThat(channel.send(id("o1"), request())).isInstanceOf(SendResult.Sent.class);

    JsonValue.Obj message = slack.messages(CHANNEL).getLast();
    assertThat(message.string("text").orElseThrow()).contains("*report*");
    assertThat(message.objects("files").getFirst().string("title")).contains("re_port.txt");
    assertThat(slack.uploads).containsValue("all green");
    assertThat(slack.calls("files.completeUploadExternal").getFirst().arguments())
        .containsEntry("thread_ts", "1.1");
  }

  /** Seen to fail when a failed upload counts as not known. */
  @Test
  void t351_a_failure_before_the_last_step_shows_nothing_and_may_be_tried_again() throws Exception {
    ChannelRequest.SendFile request = request();
    slack.next("files.getUploadURLExternal", new FakeSlack.Fault.Cuts());
    assertThat(channel.send(id("o1"), request)).isInstanceOf(SendResult.RetryAfter.class);
    slack.next("upload", new FakeSlack.Fault.Breaks(500));
    assertThat(channel.send(id("o1"), request)).isInstanceOf(SendResult.RetryAfter.class);
    assertThat(slack.messages(CHANNEL)).isEmpty();
    slack.next("files.completeUploadExternal", new FakeSlack.Fault.Cuts());
    assertThat(channel.send(id("o1"), request)).isInstanceOf(SendResult.Unknown.class);

    assertThat(channel.lookUp(id("o1"), request)).isInstanceOf(LookUpResult.NotKnown.class);
  }

  @Test
  void a_file_that_is_gone_is_refused() throws Exception {
    ChannelRequest.SendFile request = request();
    Files.delete(request.file());
    assertThat(channel.send(id("o1"), request)).isInstanceOf(SendResult.Refused.class);
  }

  @Test
  void a_file_of_a_person_is_fetched_by_its_address_or_its_id() throws Exception {
    channel.fetch(plan(), folder.resolve("a"), 100);
    channel.fetch(attachment("F0SHARED", 0), folder.resolve("b"), 100);

    assertThat(folder.resolve("a")).hasContent("the plan");
    assertThat(folder.resolve("b")).hasContent("the plan");
  }

  /** Seen to fail when the beginning of the file is not looked at. */
  @Test
  void t350_the_login_page_of_slack_is_not_taken_for_the_file() {
    slack.scopes = "chat:write";
    Path target = folder.resolve("a");

    assertThatThrownBy(() -> channel.fetch(plan(), target, 1_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("files:read");
    assertThat(target).doesNotExist();
  }

  /** Seen to fail when a file may have more bytes than the limit. */
  @Test
  void a_file_over_the_limit_is_refused_and_leaves_nothing() {
    Path target = folder.resolve("a");
    assertThatThrownBy(() -> channel.fetch(plan(), target, 3)).isInstanceOf(IOException.class);
    assertThat(target).doesNotExist();
  }

  /** Seen to fail when every host is allowed. */
  @Test
  void the_token_goes_to_hosts_of_slack_only() {
    Path target = folder.resolve("a");
    assertThatThrownBy(
            () -> channel.fetch(attachment("https://files.example.org/plan", 8), target, 100))
        .hasMessageContaining("not of the platform");
    assertThatThrownBy(
            () -> channel.fetch(attachment(slack.url("/files/moved").toString(), 8), target, 100))
        .hasMessageContaining("not of the platform");
    assertThat(target).doesNotExist();

    SlackSettings settings = harness.settings(SlackSettings.Mode.SOCKET);
    SlackClient real =
        new SlackClient(
            new PlatformClient(List.of()),
            new SlackSettings(
                settings.name(),
                settings.botToken(),
                settings.appToken(),
                settings.signingSecret(),
                settings.mode(),
                URI.create("https://slack.com/api/")));
    assertThat(real.isOfSlack(URI.create("https://files.slack.com/files-pri/T1-F1/a"))).isTrue();
    assertThat(real.isOfSlack(URI.create("wss://wss-primary.slack.com/link/?ticket=1"))).isTrue();
    assertThat(real.isOfSlack(URI.create("https://hooks.slack.com/actions/1"))).isTrue();
    assertThat(real.isOfSlack(URI.create("http://files.slack.com/a"))).isFalse();
    assertThat(real.isOfSlack(URI.create("https://slack.com.example.org/a"))).isFalse();
    assertThat(real.isOfSlack(URI.create("https://notslack.com/a"))).isFalse();
    assertThat(real.isOfSlack(URI.create("https://127.0.0.1/a"))).isFalse();
  }
}
