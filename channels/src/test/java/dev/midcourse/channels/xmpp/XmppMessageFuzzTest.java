package dev.midcourse.channels.xmpp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.fixture.MapConfig;
import dev.midcourse.channels.fixture.RecordingListener;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jivesoftware.smack.SmackException;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.parsing.SmackParsingException;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smack.tcp.XMPPTCPConnectionConfiguration;
import org.jivesoftware.smack.util.PacketParserUtils;
import org.jivesoftware.smack.xml.XmlPullParserException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;
import org.jxmpp.stringprep.XmppStringprepException;

/** Every message that Smack can parse is read, is left out, or is refused; nothing else fails. */
@Tag("fuzz")
class XmppMessageFuzzTest {
  private static final XmppSettings SETTINGS =
      XmppSettings.read(
          MapConfig.of(
              "xmpp",
              Map.of(
                  "account", "midcourse@localhost", "password", "unused", "rooms", "dev@rooms")));

  @MethodSource("messages")
  @FuzzTest(maxDuration = "2m")
  void a_message(@NotNull String xml)
      throws SmackException, InterruptedException, XmppStringprepException {
    Message message;
    try {
      message = PacketParserUtils.parseStanza(xml);
    } catch (XmlPullParserException
        | IOException
        | SmackParsingException
        | RuntimeException
        | AssertionError notAMessage) {
      return;
    }
    var connection =
        new XMPPTCPConnection(
            XMPPTCPConnectionConfiguration.builder().setXmppDomain("localhost").build());
    XmppRooms rooms = new XmppRooms(SETTINGS, connection, new RecordingListener());
    XmppUpdateReader reader =
        new XmppUpdateReader(SETTINGS.name(), SETTINGS.account(), new XmppIds());
    try {
      reader
          .read(message, Optional.of("id"), true, rooms, Instant.EPOCH)
          .ifPresent(one -> assertThat(one.updateKey()).isNotBlank());
    } catch (RefusedException refused) {
      assertThat(refused.problem().rule()).isNotBlank();
    }
  }

  static Stream<String> messages() {
    String start = "<message xmlns='jabber:client' from='ann@localhost/x' type='chat' id='a'>";
    return Stream.of(
        start + "<body>hello</body></message>",
        start
            + "<body>&gt; x\ny</body><fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'>"
            + "<body start='9' end='3'/></fallback></message>",
        start + "<body>x</body><replace xmlns='urn:xmpp:message-correct:0'/></message>",
        start + "<body>x</body><reply xmlns='urn:xmpp:reply:0'/></message>",
        start + "<body>x</body><stanza-id xmlns='urn:xmpp:sid:0'/></message>",
        "<message xmlns='jabber:client' type='groupchat'><body>x</body></message>",
        "<message xmlns='jabber:client' from='dev@rooms' type='groupchat'><body>x</body></message>",
        "<message");
  }
}
