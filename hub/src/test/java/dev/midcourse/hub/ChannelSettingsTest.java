package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.channels.ChannelFeature;
import dev.midcourse.channels.webhook.WebhookSettings;
import dev.midcourse.core.RefusedException;
import dev.midcourse.hub.settings.SettingsFile;
import dev.midcourse.hub.settings.channel.ChannelSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelSettingsTest {
  @TempDir Path data;

  @Test
  void a_webhook_has_its_settings_and_its_secret_from_a_file() throws IOException {
    Files.writeString(data.resolve("bridge.secret"), "0123456789abcdef\n");
    ChannelSettings settings =
        read(
            """
            [channels.bridge]
            kind = "webhook"
            secret_file = "bridge.secret"
            url = "https://example.org/hook"
            timeout = "5s"
            features = ["edits"]
            idempotent = true

            [outbox]
            give_up_after = "2h"
            """);
    WebhookSettings webhook = settings.webhooks().getFirst();
    assertThat(webhook.name().value()).isEqualTo("bridge");
    assertThat(webhook.url().orElseThrow().getHost()).isEqualTo("example.org");
    assertThat(webhook.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(webhook.features())
        .containsExactlyInAnyOrder(ChannelFeature.EDITS, ChannelFeature.IDEMPOTENT_SENDS);
    assertThat(settings.giveUpAfter()).isEqualTo(Duration.ofHours(2));
    assertThat(settings.toString()).as("a log must not show it").doesNotContain("0123456789");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[channels.a]\\nsecret = '0123456789abcdef'                                  | kind",
        "[channels.a]\\nkind = 'pigeon'                                              | kind",
        "[channels.a]\\nkind = 'webhook'                                             | secret",
        "[channels.a]\\nkind = 'webhook'\\nsecret = 'short'                           | 16 bytes",
        "[channels.a]\\nkind = 'webhook'\\nsecret_file = 'missing'                    | missing",
        "[channels.A]\\nkind = 'webhook'\\nsecret = '0123456789abcdef'                | lower-case",
        "[channels.terminal]\\nkind = 'webhook'\\nsecret = '0123456789abcdef'         | built in",
        "[channels.a]\\nkind = 'webhook'\\nsecret = '0123456789abcdef'\\nmore = 1      | more",
        "[channels.a]\\nkind = 'webhook'\\nsecret = '0123456789abcdef'\\nurl = 'http://example.org' |"
            + " https",
        "[channels.a]\\nkind = 'webhook'\\nsecret = '0123456789abcdef'\\nurl = 'https://u:p@x.org' |"
            + " https",
        "[channels.a]\\nkind = 'webhook'\\nsecret = '0123456789abcdef'\\nfeatures = ['files'] |"
            + " edits",
        "[outbox]\\ngive_up_after = 'soon'                                           | give_up_after",
      })
  void a_wrong_setting_is_refused_with_its_name(String lines, String words) {
    assertThatThrownBy(() -> read(lines.replace("\\n", "\n").replace('\'', '"')))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("midcourse.toml:")
        .hasMessageContaining(words);
  }

  @Test
  void an_http_url_of_this_machine_is_taken() throws IOException {
    assertThat(
            read("""
            [channels.a]
            kind = "webhook"
            secret = "0123456789abcdef"
            url = "http://127.0.0.1:9000/x"
            """)
                .webhooks())
        .hasSize(1);
  }

  private ChannelSettings read(String toml) throws IOException {
    Files.writeString(data.resolve(SettingsFile.NAME), toml);
    return SettingsFile.read(data).channels();
  }
}
