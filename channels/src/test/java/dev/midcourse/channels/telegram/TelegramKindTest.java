package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.channels.catalogue.ChannelKinds;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelCheck.Result;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.core.RefusedException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the kind reads its settings, and what its check finds out. */
class TelegramKindTest {
  private final TelegramFixture fixture = new TelegramFixture();
  private final FakeTelegram telegram = fixture.telegram;
  private final TelegramKind kind = new TelegramKind();
  private final Map<String, String> settings = new HashMap<>();

  TelegramKindTest() {
    settings.put("token", FakeTelegram.TOKEN);
    settings.put("api_url", telegram.url() + "/");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void the_catalogue_has_the_kind() {
    assertThat(ChannelKinds.named("telegram")).containsInstanceOf(TelegramKind.class);
  }

  @Test
  void a_channel_with_a_token_alone_can_be_opened() {
    assertThat(kind.open(config(), context()).name()).isEqualTo(TelegramFixture.CHANNEL);
  }

  @Test
  void a_setting_that_is_wrong_is_refused_without_showing_the_token() {
    settings.put("token", "AAfake/../../getMe");
    assertThatThrownBy(() -> kind.open(config(), context()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("@BotFather")
        .hasMessageNotContaining("AAfake");

    settings.put("token", FakeTelegram.TOKEN);
    settings.put("webhook", "true");
    assertThatThrownBy(() -> kind.open(config(), context())).hasMessageContaining("webhook_url");
  }

  @Test
  void the_check_says_who_the_bot_is_and_what_it_reads() {
    List<ChannelCheck> checks = kind.check(config(), context());

    assertThat(checks).allMatch(check -> check.result() == Result.OK);
    assertThat(checks.getFirst().text()).isEqualTo("The bot is @mid_bot (123456).");
  }

  @Test
  void the_check_says_how_a_bot_gets_to_read_its_groups() {
    telegram.hideGroups();

    assertThat(kind.check(config(), context()))
        .anyMatch(
            check -> check.result() == Result.WARNING && check.remedy().contains("/setprivacy"));
  }

  /** Seen to fail when the check does not look who gets the updates. */
  @Test
  void the_check_names_a_program_that_gets_the_updates() {
    telegram.setWebhook("https://other.example.org/secret-path", "");

    assertThat(kind.check(config(), context()))
        .anyMatch(check ->
            check.result() == Result.FAILED
                && check.text().contains("other.example.org")
                && !check.text().contains("secret-path"));
  }

  @Test
  void the_check_says_that_a_token_was_revoked_or_that_nobody_answers() {
    telegram.revokeToken();
    assertThat(kind.check(config(), context()))
        .singleElement()
        .matches(check -> check.result() == Result.FAILED && check.text().contains("token"));

    telegram.close();
    assertThat(kind.check(config(), context()))
        .singleElement()
        .matches(check -> check.text().contains("cannot be reached"))
        .matches(check -> !check.toString().contains("AAfake"));
  }

  private ChannelContext context() {
    return new ChannelContext(fixture.clock, fixture.state, new ProcessLocks(), Path.of("unused"));
  }

  private ChannelConfig config() {
    return new MapConfig(TelegramFixture.CHANNEL, settings);
  }
}
