package dev.midcourse.channels.irc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.connection.PermanentFailureException;
import dev.midcourse.channels.connection.TlsTrust;
import dev.midcourse.channels.kind.ChannelSecret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A socket that carries lines. One thread reads; several may write. */
final class IrcConnection implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** The longest line with tags has 8,703 bytes. */
  private static final int MAX_LINE = 16 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final byte[] buffer = new byte[8 * 1024];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int at; // the next unread byte of the buffer; only the reading thread uses it
  private int end;

  private IrcConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  static IrcConnection open(IrcSettings settings) throws IOException, PermanentFailureException {
    Socket plain = new Socket();
    boolean open = false;
    try {
      plain.setTcpNoDelay(true);
      plain.connect(
          new InetSocketAddress(settings.host(), settings.port()),
          (int) CONNECT_TIMEOUT.toMillis());
      plain.setSoTimeout((int) CONNECT_TIMEOUT.toMillis());
      IrcConnection connection =
          new IrcConnection(settings.tls() ? secured(plain, settings) : plain);
      open = true;
      return connection;
    } finally {
      if (!open) {
        plain.close();
      }
    }
  }

  private static SSLSocket secured(Socket plain, IrcSettings settings)
      throws IOException, PermanentFailureException {
    SSLContext context = context(settings);
    SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(plain, settings.host(), settings.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate must name the host
    socket.setSSLParameters(parameters);
    try {
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      throw TlsTrust.refusal(e).map(IOException::new).orElse(e);
    }
  }

  private static SSLContext context(IrcSettings settings) throws PermanentFailureException {
    try {
      if (settings.certificate().isEmpty()) {
        return settings.trust().context();
      }
      char[] password =
          settings.certificatePassword().map(ChannelSecret::reveal).orElse("").toCharArray();
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(load(settings.certificate().get(), password), password);
      return settings.trust().context(keys.getKeyManagers());
    } catch (GeneralSecurityException | IOException e) {
      throw new PermanentFailureException(
          "the certificate of the bot cannot be read: " + settings.redact(String.valueOf(e)),
          "Set certificate to a PKCS #12 file, and certificate_password_file to its password.");
    }
  }

  private static KeyStore load(Path file, char[] password)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(file)) {
      store.load(content, password);
    }
    return store;
  }

  /** Writes a line at once. */
  void write(IrcLine command) throws IOException {
    byte[] bytes = (command.write() + "\r\n").getBytes(UTF_8);
    synchronized (socket) { // a line is written as a whole
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }
  }

  /**
   * Waits for a line; empty if none came in this time. A line that is too long is skipped.
   *
   * @throws IOException if the other side has closed
   */
  Optional<IrcLine> read(Duration wait) throws IOException {
    socket.setSoTimeout((int) Math.max(1, wait.toMillis()));
    String text = readText();
    return Optional.ofNullable(text).map(IrcLine::parse);
  }

  private @Nullable String readText() throws IOException {
    while (true) {
      if (at == end) {
        try {
          end = in.read(buffer);
        } catch (SocketTimeoutException e) {
          return null;
        }
        at = 0;
        if (end < 0) {
          end = 0;
          throw new IOException("the server closed the connection");
        }
      }
      byte next = buffer[at++];
      if (next != '\n') {
        if (next != '\r' && line.size() <= MAX_LINE) {
          line.write(next);
        }
      } else {
        String text = line.size() > MAX_LINE ? "" : line.toString(UTF_8);
        line.reset();
        return text;
      }
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException alreadyClosed) {
      // nothing is left to be closed
    }
  }
}
