package dev.midcourse.channels.connection;

import dev.midcourse.core.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The authorities whose certificates a channel accepts in connections with TLS.
 *
 * @param file a PEM file with the certificates of authorities, which alone are trusted then;
 *     without it those that Java trusts
 */
public record TlsTrust(Optional<Path> file) {
  public static final String SETTING = "ca_file";
  public static final String DESCRIPTION =
      "A PEM file with the certificate of the authority of the server, if it is not one that everybody"
          + " trusts.";

  private static final String FILE_REMEDY =
      "Set " + SETTING + " to a PEM file with the certificate of the authority of the server.";

  /** Reads the path of the file: the hub may run in any folder. */
  public static Path path(String text) {
    try {
      Path path = Path.of(text);
      if (path.isAbsolute()) {
        return path;
      }
    } catch (InvalidPathException e) {
      // refused below
    }
    throw Problem.invalid("", "a whole path, such as /etc/ssl/own-ca.pem", "must be a whole path")
        .refused();
  }

  /**
   * A context for connections.
   *
   * @param keys with which the channel itself logs in; empty if it has no certificate
   */
  public SSLContext context(KeyManager... keys) throws PermanentFailureException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {manager()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new PermanentFailureException(
          "TLS cannot be used: " + e.getMessage(), "Repair the installation of Java.");
    }
  }

  public X509TrustManager manager() throws PermanentFailureException {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(authorities());
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager found) {
          return found;
        }
      }
      throw new GeneralSecurityException("Java has no trust manager");
    } catch (GeneralSecurityException | IOException e) {
      throw new PermanentFailureException(
          "the certificates of "
              + file.map(Path::toString).orElse("Java")
              + " cannot be read: "
              + e,
          FILE_REMEDY);
    }
  }

  /** A key store with the authorities of the file; null means those of Java. */
  private @Nullable KeyStore authorities() throws GeneralSecurityException, IOException {
    if (file.isEmpty()) {
      return null;
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream content = Files.newInputStream(file.get())) {
      int number = 0;
      for (Certificate one :
          CertificateFactory.getInstance("X.509").generateCertificates(content)) {
        store.setCertificateEntry("authority-" + number++, one);
      }
    }
    if (store.size() == 0) {
      throw new GeneralSecurityException("it has no certificate");
    }
    return store;
  }

  /** Why the certificate of a server was not accepted; empty if something else went wrong. */
  public static Optional<String> refusal(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      String said = String.valueOf(at.getMessage());
      if (at instanceof CertificateExpiredException) {
        return Optional.of("the certificate of the server has expired");
      }
      if (said.startsWith("No subject alternative")
          || said.startsWith("No name matching")
          || said.contains("Hostname verification")) {
        return Optional.of("the certificate of the server is for another host name: " + said);
      }
      if (said.contains("PKIX path building failed")
          || said.contains("PKIX path validation failed")) {
        boolean isExpired = said.contains("CertificateExpiredException");
        return Optional.of(
            isExpired
                ? "the certificate of the server has expired"
                : "the certificate of the server is of no authority that is trusted. "
                    + FILE_REMEDY);
      }
    }
    return Optional.empty();
  }
}
