package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.fixture.MemoryState;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mail is a message, a click, or is skipped with a reason. */
@Tag("fuzz")
class MailReaderFuzzTest {
  private final MailReader reader =
      new MailReader(MailReaderTest.SETTINGS, MailTokens.open(new MemoryState()));

  @MethodSource("mails")
  @FuzzTest(maxDuration = "2m")
  void a_mail(@NotNull String mail) {
    switch (reader.read(mail.getBytes(ISO_8859_1), "1/2", MailReaderTest.NOW)) {
      case MailUpdate.Message(var message, var thread) -> {
        assertThat(message.updateKey()).isNotBlank();
        assertThat(message.text()).doesNotContain("\0");
        assertThat(MailThread.ofJson(thread.toJson())).contains(thread);
      }
      case MailUpdate.Click(var click) -> assertThat(click.button()).isNotBlank();
      case MailUpdate.Undelivered(var report) -> assertThat(report.reason()).isNotBlank();
      case MailUpdate.Skip(String reason) -> assertThat(reason).isNotBlank();
    }
  }

  static Stream<String> mails() {
    String from = "From: ann@example.com\r\n";
    String deep = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n";
    return Stream.of(
        "",
        "\r\n\r\n",
        from + "\r\nHello",
        from + "Subject: =?no-charset?Q?=41?=\r\n\r\nHello",
        from + "Content-Type: ;;;\r\n\r\nHello",
        from + "Content-Type: text/plain; charset=\"\0\"\r\n\r\nHello",
        from + "Content-Transfer-Encoding: base64\r\n\r\n!!!!",
        from + "Content-Transfer-Encoding: of-tomorrow\r\n\r\nHello",
        from + "Content-Type: multipart/mixed\r\n\r\nno boundary",
        from + deep.repeat(60) + "\r\nHello",
        from + "Content-Type: text/html\r\n\r\n<<<<!--" + "&".repeat(500),
        from + "References: " + "<a@b> ".repeat(5_000) + "\r\n\r\nHello",
        from + "Message-ID: not an id\r\n\r\n" + "> ".repeat(500),
        from + "Authentication-Results: " + "(".repeat(3_000) + "\r\n\r\nHello",
        "From: \"a\0b\" <x@y\r\n\r\n",
        "From: undisclosed-recipients:;\r\n\r\n",
        from + "To: bot+t" + "f".repeat(44) + "@example.org\r\n\r\nHello");
  }
}
