package dev.midcourse.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.core.RefusedException;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/** Every line of a server is read as a message, is left out, or is refused; nothing else fails. */
@Tag("fuzz")
class IrcLineFuzzTest {
  @MethodSource("lines")
  @FuzzTest(maxDuration = "2m")
  void a_line_of_a_server(@NotNull String text) {
    IrcUpdateReader reader =
        new IrcUpdateReader(IrcParts.NAME, IrcSettings.IdentityRule.ACCOUNT, _ -> "");
    IrcNetwork network = new IrcNetwork("midcourse");
    IrcLine line = IrcLine.parse(text);
    network.readSettings(line);
    try {
      reader
          .read(line, network, Instant.EPOCH)
          .ifPresent(message -> assertThat(message.updateKey()).isNotBlank());
    } catch (RefusedException refused) {
      assertThat(refused.problem().rule()).isNotBlank();
    }
  }

  static Stream<String> lines() {
    return Stream.of(
        "@msgid=a;account=ann;time=2026-03-01T10:00:00.000Z :ann!u@h PRIVMSG #dev :midcourse: hi",
        "@account=*;msgid= :ann!u@h PRIVMSG midcourse :\u0003",
        "@account=a\\sb;+draft/reply=\\ :ann!u@h PRIVMSG #dev :\ud800",
        "@time=+999999999-12-31T23:59:59Z :a!b PRIVMSG # :x",
        ":ann!u@h PRIVMSG  :x",
        ":!u PRIVMSG #dev :x",
        ":a\u0000!u PRIVMSG #\u0000 :\u0000",
        "@ : ",
        ":irc.test 005 me CHANTYPES= CASEMAPPING=rfc1459 CHATHISTORY=99999999 :x",
        "");
  }
}
