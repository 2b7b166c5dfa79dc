package dev.midcourse.channels.xmpp;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.TlsTrust;
import java.io.IOException;
import org.jivesoftware.smack.ConnectionConfiguration.SecurityMode;
import org.jivesoftware.smack.SmackConfiguration;
import org.jivesoftware.smack.SmackException;
import org.jivesoftware.smack.XMPPException;
import org.jivesoftware.smack.parsing.StandardExtensionElementProvider;
import org.jivesoftware.smack.provider.ProviderManager;
import org.jivesoftware.smack.sasl.SASLErrorException;
import org.jivesoftware.smack.tcp.XMPPTCPConnection;
import org.jivesoftware.smack.tcp.XMPPTCPConnectionConfiguration;
import org.jxmpp.jid.parts.Resourcepart;
import org.jxmpp.stringprep.XmppStringprepException;

/** Opens connections. */
final class XmppConnections {
  private static final int TIMEOUT_MILLIS = 20_000;

  private XmppConnections() {}

  /**
   * Connects and logs in; the caller disconnects.
   *
   * @param resource a connection with the same one is ended by the server
   */
  static XMPPTCPConnection open(XmppSettings settings, String resource)
      throws IOException, PermanentFailureException, InterruptedException {
    SmackConfiguration.DEBUG = false; // it would print the login
    // Smack reads this element without the range that it is about.
    ProviderManager.addExtensionProvider(
        "fallback", XmppUpdateReader.FALLBACK, StandardExtensionElementProvider.INSTANCE);
    XMPPTCPConnection connection = new XMPPTCPConnection(configuration(settings, resource));
    connection.setReplyTimeout(TIMEOUT_MILLIS);
    // The position in the archive replaces it: it is stored when a message is durable.
    connection.setUseStreamManagement(false);
    boolean open = false;
    try {
      connection.connect().login();
      open = true;
      return connection;
    } catch (SASLErrorException e) {
      if (e.getSASLFailure().getSASLError().toString().contains("temporary")) {
        throw new IOException("the server cannot log anybody in now", e);
      }
      throw new PermanentFailureException(
          "the server refused the login of "
              + settings.account()
              + ": "
              + e.getSASLFailure().getSASLError(),
          "Set account and password_file of the channel anew.");
    } catch (XMPPException | SmackException | IOException e) {
      String reason = TlsTrust.refusal(e).orElseGet(() -> String.valueOf(e.getMessage()));
      throw new IOException(settings.password().redact(reason));
    } finally {
      if (!open) {
        connection.instantShutdown();
      }
    }
  }

  private static XMPPTCPConnectionConfiguration configuration(
      XmppSettings settings, String resource) throws IOException, PermanentFailureException {
    try {
      XMPPTCPConnectionConfiguration.Builder builder =
          XMPPTCPConnectionConfiguration.builder()
              .setXmppDomain(settings.account().asDomainBareJid())
              .setUsernameAndPassword(
                  settings.account().getLocalpart(), settings.password().reveal())
              .setResource(Resourcepart.from(resource))
              .setPort(settings.port())
              .setConnectTimeout(TIMEOUT_MILLIS)
              .setSendPresence(false)
              .setCustomX509TrustManager(settings.trust().manager())
              .setSecurityMode(settings.tls() ? SecurityMode.required : SecurityMode.disabled);
      settings.host().ifPresent(builder::setHost);
      return builder.build();
    } catch (XmppStringprepException impossible) {
      throw new IOException(impossible);
    }
  }
}
