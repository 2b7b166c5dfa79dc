package dev.midcourse.hub.http.server;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificate of an endpoint with TLS: two files in PEM.
 *
 * @param certificate the endpoint's own certificate first, then those of its issuers
 * @param key the private key, in PKCS #8 and not encrypted
 */
public record TlsSettings(Path certificate, Path key) {
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  /** Returns the host names in the certificate, in lower case, without wildcard names. */
  public Set<String> names() {
    Set<String> names = new HashSet<>();
    try {
      if (chain()[0] instanceof X509Certificate its && its.getSubjectAlternativeNames() != null) {
        for (List<?> name : its.getSubjectAlternativeNames()) {
          if (name.get(1) instanceof String text && !text.contains("*")) {
            names.add(text.toLowerCase(Locale.ROOT));
          }
        }
      }
    } catch (CertificateParsingException e) {
      throw new RefusedException(noCertificate(), e);
    }
    return names;
  }

  /** Returns the context for connections. Refuses unusable files with the reason. */
  public SSLContext context() {
    Certificate[] chain = chain();
    PrivateKey secret = key(chain[0].getPublicKey());
    try {
      if (!belongs(secret, chain[0].getPublicKey())) {
        throw wrong("tls_key", "the key of the certificate", key + " is the key of another");
      }
      char[] unused = new char[0];
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, unused);
      store.setKeyEntry("hub", secret, unused, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, unused);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[0], new SecureRandom());
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw wrong(
          "tls_cert", "a certificate that can be used", certificate + ": " + e.getMessage());
    }
  }

  /** Returns the context of a client that trusts only this certificate. */
  SSLContext trusting() {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, new char[0]);
      store.setCertificateEntry("hub", chain()[0]);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[0], trust.getTrustManagers(), new SecureRandom());
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw wrong(
          "tls_cert", "a certificate that can be used", certificate + ": " + e.getMessage());
    }
  }

  private Certificate[] chain() {
    try {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)))
              .toArray(Certificate[]::new);
      if (chain.length > 0) {
        return chain;
      }
    } catch (GeneralSecurityException e) {
      throw new RefusedException(noCertificate(), e);
    } catch (IOException e) {
      throw unreadable("tls_cert", certificate, e);
    }
    throw noCertificate().refused();
  }

  private Problem noCertificate() {
    return Problem.invalid(
        "tls_cert", "certificates in PEM", certificate + " holds no certificate in PEM");
  }

  /**
   * Refuses a key that other users can read or change. Its group may read it if it is root's: so
   * distributions share keys with servers.
   */
  private void requirePrivate() {
    try {
      PosixFileAttributes file = Files.readAttributes(key, PosixFileAttributes.class);
      Set<PosixFilePermission> open = new HashSet<>(file.permissions());
      open.removeAll(OWNERS);
      if (file.owner().getName().equals("root")) {
        open.remove(PosixFilePermission.GROUP_READ);
      }
      if (!open.isEmpty()) {
        throw wrong(
            "tls_key",
            "a file of its owner only",
            "other users can use " + key + "; close it to them with: chmod 600 " + key);
      }
    } catch (UnsupportedOperationException e) {
      return; // a file system without permissions
    } catch (IOException e) {
      throw unreadable("tls_key", key, e);
    }
  }

  private PrivateKey key(PublicKey its) {
    requirePrivate();
    try {
      Matcher found = KEY.matcher(Files.readString(key));
      if (found.find()) {
        byte[] bytes = Base64.getMimeDecoder().decode(found.group(1));
        return KeyFactory.getInstance(its.getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(bytes));
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw wrong("tls_key", "the key of the certificate", key + " is not a key for it");
    } catch (IOException e) {
      throw unreadable("tls_key", key, e);
    }
    throw wrong(
        "tls_key",
        "a private key in PKCS #8, not enciphered",
        key
            + " does not say BEGIN PRIVATE KEY; make one of it that does with:"
            + " openssl pkcs8 -topk8 -nocrypt -in "
            + key.getFileName()
            + " -out pkcs8.pem");
  }

  private static boolean belongs(PrivateKey secret, PublicKey open)
      throws GeneralSecurityException {
    byte[] probe = {1, 2, 3};
    String algorithm =
        switch (open.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> open.getAlgorithm();
        };
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(secret);
    signature.update(probe);
    byte[] signed = signature.sign();
    signature.initVerify(open);
    signature.update(probe);
    return signature.verify(signed);
  }

  private static RefusedException wrong(String field, String rule, String message) {
    return Problem.invalid(field, rule, message).refused();
  }

  private static RefusedException unreadable(String field, Path file, IOException why) {
    return new RefusedException(
        Problem.invalid(field, "a file that can be read", file + " cannot be read"), why);
  }
}
