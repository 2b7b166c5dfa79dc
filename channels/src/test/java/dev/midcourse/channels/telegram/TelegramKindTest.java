package dev.midcourse.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.channels.catalogue.ChannelKinds;
import dev.midcourse.channels.connection.ProcessLocks;
import dev.midcourse.channels.kind.ChannelCheck;
import dev.midcourse.channels.kind.ChannelCheck.Result;
import dev.midcourse.channels.kind.ChannelConfig;
import dev.midcourse.channels.kind.ChannelContext;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
    return new ChannelConfig() {
      @Override
      public ChannelName name() {
        return TelegramFixture.CHANNEL;
      }

      @Override
      public Optional<String> text(String key) {
        return Optional.ofNullable(settings.get(key));
      }

      @Override
      public <T> Optional<T> text(String key, Function<String, T> rule) {
        return text(key).map(rule);
      }

      @Override
      public <E extends Enum<E>> Optional<E> oneOf(String key, Class<E> type) {
        return text(key).map(name -> Enum.valueOf(type, name));
      }

      @Override
      public Optional<URI> url(String key) {
        return text(key).map(URI::create);
      }

      @Override
      public Optional<Integer> number(String key, int from, int to) {
        return text(key).map(Integer::valueOf);
      }

      @Override
      public Optional<Boolean> flag(String key) {
        return text(key).map(Boolean::valueOf);
      }

      @Override
      public Optional<Duration> duration(String key) {
        return text(key).map(Duration::parse);
      }

      @Override
      public Optional<List<String>> texts(String key) {
        return text(key).map(List::of);
      }

      @Override
      public Optional<ChannelSecret> secret(String key) {
        return text(key).map(ChannelSecret::new);
      }

      @Override
      public String requiredText(String key) {
        return text(key)
            .orElseThrow(() -> Problem.invalid(key, "a text", key + " is missing").refused());
      }

      @Override
      public ChannelSecret requiredSecret(String key) {
        return new ChannelSecret(requiredText(key));
      }
    };
  }
}
