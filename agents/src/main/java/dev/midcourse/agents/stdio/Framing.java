package dev.midcourse.agents.stdio;

import dev.midcourse.agents.process.framing.ContentLengthDecoder;
import dev.midcourse.agents.process.framing.FrameDecoder;
import dev.midcourse.agents.process.framing.LineDecoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The separation of messages in a stream of bytes. */
public enum Framing {
  /** A message is a line. JSON in the message has no line breaks. */
  LINES {
    @Override
    byte[] frame(String message) {
      if (message.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("a message of one line has a line break");
      }
      return (message + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    FrameDecoder decoder(long fromOffset) {
      return new LineDecoder(fromOffset);
    }

    @Override
    byte[] endOfTornFrame() {
      return new byte[] {'\n'};
    }
  },

  /** A header gives the length of the message, as in the Language Server Protocol. */
  CONTENT_LENGTH {
    @Override
    byte[] frame(String message) {
      byte[] body = message.getBytes(StandardCharsets.UTF_8);
      byte[] head =
          ("Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
      byte[] whole = new byte[head.length + body.length];
      System.arraycopy(head, 0, whole, 0, head.length);
      System.arraycopy(body, 0, whole, head.length, body.length);
      return whole;
    }

    @Override
    FrameDecoder decoder(long fromOffset) {
      return new ContentLengthDecoder(fromOffset);
    }

    // Only the announced number of bytes ends the frame.
    @Override
    byte[] endOfTornFrame() {
      return new byte[0];
    }
  };

  abstract byte[] frame(String message);

  abstract FrameDecoder decoder(long fromOffset);

  /** The bytes that end a frame which a hub left incomplete when it ended. */
  abstract byte[] endOfTornFrame();

  /** Joins several messages into one write, so that all of them arrive or none. */
  byte[] frames(List<String> messages) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String message : messages) {
      all.writeBytes(frame(message));
    }
    return all.toByteArray();
  }
}
