package dev.midcourse.gateway.pump;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Opens connections to providers. With TLS, the certificate must be valid for the host. */
public final class UpstreamConnector {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  private final SSLSocketFactory tls;

  public UpstreamConnector(SSLSocketFactory tls) {
    this.tls = tls;
  }

  /** Returns a connector that trusts what the JDK trusts. */
  public static UpstreamConnector ofThisSystem() {
    return new UpstreamConnector((SSLSocketFactory) SSLSocketFactory.getDefault());
  }

  Link connect(Upstream to) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      String host = to.host().replaceAll("[\\[\\]]", "");
      socket.connect(new InetSocketAddress(host, to.port()), (int) CONNECT_TIMEOUT.toMillis());
      return to.tls() ? overTls(socket, host, to.port()) : SocketLink.of(socket);
    } catch (IOException | RuntimeException failure) {
      socket.close();
      throw failure;
    }
  }

  private Link overTls(Socket socket, String host, int port) throws IOException {
    SSLSocket session =
        (SSLSocket) tls.createSocket(socket, host.toLowerCase(Locale.ROOT), port, true);
    SSLParameters parameters = session.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    session.setSSLParameters(parameters);
    socket.setSoTimeout((int) CONNECT_TIMEOUT.toMillis());
    session.startHandshake();
    socket.setSoTimeout(0);
    return SocketLink.of(socket, session);
  }
}
