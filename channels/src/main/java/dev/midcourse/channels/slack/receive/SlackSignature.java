package dev.midcourse.channels.slack.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.http.HttpReceiver.HttpCall;
import dev.midcourse.channels.kind.ChannelSecret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The proof that a request comes from Slack: a MAC of its time and its body. */
public final class SlackSignature {
  private static final Duration MAX_AGE = Duration.ofMinutes(5);
  private static final String ALGORITHM = "HmacSHA256";

  private SlackSignature() {}

  /** Why the request is not believed; empty if it is. */
  static Optional<String> objection(ChannelSecret secret, HttpCall call, Instant now) {
    Optional<String> time = call.header("x-slack-request-timestamp");
    Optional<String> signature = call.header("x-slack-signature");
    if (time.isEmpty() || signature.isEmpty() || !time.get().matches("\\d{1,12}")) {
      return Optional.of("the request is not signed");
    }
    Instant sentAt = Instant.ofEpochSecond(Long.parseLong(time.get()));
    if (Duration.between(sentAt, now).abs().compareTo(MAX_AGE) > 0) {
      return Optional.of("the time of the request is more than 5 minutes from that of the hub");
    }
    byte[] expected = sign(secret, time.get(), call.body()).getBytes(UTF_8);
    return MessageDigest.isEqual(expected, signature.get().getBytes(UTF_8))
        ? Optional.empty()
        : Optional.of("the signature is wrong");
  }

  public static String sign(ChannelSecret secret, String time, String body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.reveal().getBytes(UTF_8), ALGORITHM));
      byte[] sum = mac.doFinal(("v0:" + time + ":" + body).getBytes(UTF_8));
      return "v0=" + HexFormat.of().formatHex(sum);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
