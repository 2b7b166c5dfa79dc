package dev.midcourse.hub.http.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;

/**
 * Decodes a body that a route reads as text. A body that is not UTF-8 is refused: with replaced
 * characters its signature would be wrong, and the sender would look for the mistake in its secret.
 */
public final class BodyText {
  private BodyText() {}

  /** The body of a request is not UTF-8; the message names the first wrong byte. */
  public static final class NotUtf8Exception extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    NotUtf8Exception(int index, byte wrong) {
      this(
          "the body is not UTF-8: the byte 0x%02X at index %d is not part of a character; encode the body as UTF-8, then sign these bytes"
              .formatted(wrong, index));
    }

    private NotUtf8Exception(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }

  static String decode(byte[] body) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.wrap(body);
    CharBuffer text = CharBuffer.allocate(body.length); // never more characters than bytes
    if (decoder.decode(bytes, text, true).isError()) {
      throw new NotUtf8Exception(bytes.position(), body[bytes.position()]);
    }
    return text.flip().toString();
  }
}
