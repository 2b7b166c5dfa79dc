package dev.midcourse.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.channels.Channel;
import dev.midcourse.channels.catalogue.ChannelKinds;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.core.RefusedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The settings of a channel, and the check whether it would work. */
class SlackKindTest {
  private SlackHarness harness;
  private FakeSlack slack;
  private final Map<String, String> values = new HashMap<>();

  @BeforeEach
  void open() throws Exception {
    harness = new SlackHarness();
    slack = harness.slack;
    values.put("bot_token", FakeSlack.BOT_TOKEN);
    values.put("app_token", FakeSlack.APP_TOKEN);
    values.put("api_url", slack.api().toString());
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private ChannelConfig config() {
    return new MapConfig(SlackHarness.NAME, values);
  }

  private List<ChannelCheck> check() {
    return new SlackKind().check(config(), harness.context());
  }

  private static List<String> texts(List<ChannelCheck> checks, ChannelCheck.Result result) {
    return checks.stream()
        .filter(check -> check.result() == result)
        .map(check -> check.text() + " " + check.remedy())
        .toList();
  }

  @Test
  void a_channel_opens_with_two_tokens_and_without_a_connection() {
    try (Channel channel = new SlackKind().open(config(), harness.context())) {
      assertThat(channel.identity()).isEmpty();
      assertThat(slack.calls).isEmpty();
    }
    assertThat(ChannelKinds.named("slack")).isPresent();
  }

  /** Seen to fail when a token of the other kind is taken. */
  @Test
  void tokens_that_are_taken_for_each_other_are_refused_and_not_shown() {
    values.put("bot_token", FakeSlack.APP_TOKEN);
    assertThatThrownBy(() -> new SlackKind().open(config(), harness.context()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("xoxb-")
        .hasMessageNotContaining(FakeSlack.APP_TOKEN);
    values.put("bot_token", FakeSlack.BOT_TOKEN);
    values.remove("app_token");
    assertThatThrownBy(() -> new SlackKind().open(config(), harness.context()))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void requests_need_the_signing_secret_and_no_app_token() {
    values.put("mode", "events");
    values.remove("app_token");
    assertThatThrownBy(() -> new SlackKind().open(config(), harness.context()))
        .isInstanceOf(RefusedException.class);
    values.put("signing_secret", SlackHarness.SIGNING_SECRET);
    new SlackKind().open(config(), harness.context()).close();

    assertThat(texts(check(), ChannelCheck.Result.FAILED)).isEmpty();
    assertThat(slack.calls("apps.connections.open")).isEmpty();
  }

  @Test
  void a_good_app_is_told_who_it_is_and_where() {
    List<ChannelCheck> checks = check();

    assertThat(texts(checks, ChannelCheck.Result.FAILED)).isEmpty();
    assertThat(texts(checks, ChannelCheck.Result.WARNING)).isEmpty();
    assertThat(texts(checks, ChannelCheck.Result.OK).toString())
        .contains("@midcourse", "All scopes", "opens sockets", "Channels of the bot: 1");
  }

  /** Seen to fail when the granted scopes are not read. */
  @Test
  void missing_scopes_are_told_with_what_does_not_work_and_the_remedy() {
    slack.scopes = "chat:write, app_mentions:read";
    assertThat(texts(check(), ChannelCheck.Result.WARNING).toString())
        .contains("files:read", "react", "OAuth & Permissions");
    slack.scopes = "reactions:read";
    assertThat(texts(check(), ChannelCheck.Result.FAILED).toString()).contains("send messages");
  }

  @Test
  void without_direct_messages_the_messages_tab_is_named() {
    slack.next("users.conversations", new FakeSlack.Fault.Fails("missing_scope"));
    assertThat(texts(check(), ChannelCheck.Result.WARNING).toString()).contains("channels:read");
    slack.store.withoutDirectMessages();
    assertThat(texts(check(), ChannelCheck.Result.WARNING).toString()).contains("Messages Tab");
  }

  @Test
  void wrong_tokens_and_a_slack_out_of_reach_are_results() {
    slack.next("apps.connections.open", new FakeSlack.Fault.Fails("not_allowed_token_type"));
    assertThat(texts(check(), ChannelCheck.Result.FAILED).toString()).contains("Socket Mode");
    slack.revoked = true;
    assertThat(texts(check(), ChannelCheck.Result.FAILED).toString())
        .contains("token_revoked", "Install the app");
    slack.close();
    assertThat(texts(check(), ChannelCheck.Result.FAILED).toString())
        .contains("cannot be reached")
        .doesNotContain(FakeSlack.BOT_TOKEN);
  }
}
