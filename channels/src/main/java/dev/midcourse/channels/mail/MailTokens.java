package dev.midcourse.channels.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.connection.ChannelState;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks what only we can make: the token in the address to which a person replies, the
 * address of a button, and the mark in our message ids. The key is in the state of the channel.
 *
 * <p>A token of an address names the thread, ends at a time, and is good for one person only.
 */
final class MailTokens {
  /** The thread of a mail that belongs to no thread. */
  static final String NO_THREAD = "0000000000000000";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int MAC_BYTES = 10;
  private static final int EXPIRY_BYTES = 4;
  private static final int THREAD_BYTES = 8;
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern OWN_ID =
      Pattern.compile("<mc\\.([a-z0-9-]{1,64})\\.([0-9a-f]{16})\\.([0-9a-f]{20})@[^<>\\s]{1,250}>");
  private static final Pattern BUTTON = Pattern.compile("b-([A-Za-z0-9_-]{1,32})-([0-9a-f]{20})");
  private static final Pattern REPLY = Pattern.compile("t([0-9a-f]{44})");

  private final SecretKeySpec key;

  private MailTokens(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** Reads the key, or makes and stores it. */
  static MailTokens open(ChannelState state) {
    Optional<byte[]> stored = state.get("token_key").map(HEX::parseHex);
    if (stored.isPresent()) {
      return new MailTokens(stored.get());
    }
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    state.put("token_key", HEX.formatHex(key));
    return new MailTokens(key);
  }

  /** The id of the thread that begins with this message. */
  static String threadOf(String rootMessageId) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(rootMessageId.getBytes(UTF_8));
      return HEX.formatHex(digest, 0, THREAD_BYTES);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static boolean isThread(String text) {
    return text.matches("[0-9a-f]{16}") && !text.equals(NO_THREAD);
  }

  /** The id of a message of ours. */
  String messageId(String outboundId, String thread, String domain) {
    return "<mc.%s.%s.%s@%s>".formatted(outboundId, thread, mac("id", outboundId, thread), domain);
  }

  /** The thread of a message of ours; empty if the message is not ours. */
  Optional<String> threadOfOurs(String messageId) {
    Matcher own = OWN_ID.matcher(messageId);
    return own.matches() && isSame(own.group(3), mac("id", own.group(1), own.group(2)))
        ? Optional.of(own.group(2))
        : Optional.empty();
  }

  String replyToken(String person, String thread, Instant now, Duration life) {
    int expiry = (int) Math.min(Integer.MAX_VALUE, now.plus(life).getEpochSecond());
    String ends = HEX.toHexDigits(expiry);
    return "t" + ends + thread + mac("reply", person, ends, thread);
  }

  /** The thread for which the token was given to this person; empty if it is not valid now. */
  Optional<String> threadOfReply(String token, String person, Instant now) {
    Matcher reply = REPLY.matcher(token);
    if (!reply.matches()) {
      return Optional.empty();
    }
    String ends = reply.group(1).substring(0, 2 * EXPIRY_BYTES);
    String thread = reply.group(1).substring(2 * EXPIRY_BYTES, 2 * (EXPIRY_BYTES + THREAD_BYTES));
    String given = reply.group(1).substring(2 * (EXPIRY_BYTES + THREAD_BYTES));
    boolean isValid =
        isSame(given, mac("reply", person, ends, thread))
            && now.getEpochSecond() < HexFormat.fromHexDigits(ends);
    return isValid ? Optional.of(thread) : Optional.empty();
  }

  String buttonToken(String person, String button) {
    return "b-" + button + "-" + mac("button", person, button);
  }

  /** The button whose address was given to this person. */
  Optional<String> buttonOf(String token, String person) {
    Matcher button = BUTTON.matcher(token);
    return button.matches() && isSame(button.group(2), mac("button", person, button.group(1)))
        ? Optional.of(button.group(1))
        : Optional.empty();
  }

  private static boolean isSame(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
  }

  /** Each part is written with its length, so that no two lists of parts look the same. */
  private String mac(String... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (String part : parts) {
        byte[] bytes = part.getBytes(UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        mac.update(bytes);
      }
      return HEX.formatHex(Arrays.copyOf(mac.doFinal(), MAC_BYTES));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
