package dev.midcourse.hub.http.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataReader.IncorrectNewLineException;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.webserver.CloseConnectionException;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads a body in chunks (RFC 9112, section 7.1) within bounds: the size of the body, the length of
 * a line and of all trailers. Chunk extensions and trailers are skipped, as the standard allows.
 * Helidon's own reader has none of the bounds and takes a chunk extension for a failure of the
 * server.
 */
public final class ChunkedReader {
  private static final int MAX_LINE = 4 * 1024;
  private static final int MAX_TRAILERS = 16 * 1024;
  private static final Pattern SIZE = Pattern.compile("([0-9a-fA-F]{1,8})[ \t]*(;.*)?");

  private final DataReader reader;

  public ChunkedReader(DataReader reader) {
    this.reader = reader;
  }

  /** A body whose chunks are malformed; the message says how. */
  public static final class MalformedBodyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    MalformedBodyException(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }

  /** Returns the whole body; empty if it is longer than this many bytes. */
  public Optional<byte[]> readAll(int max) {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (long size = readSize(); size > 0; size = readSize()) {
        if (body.size() + size > max) {
          return Optional.empty();
        }
        body.writeBytes(reader.readBytes(Math.toIntExact(size)));
        if (!readLine().isEmpty()) {
          throw new MalformedBodyException("a chunk is longer than its size");
        }
      }
      skipTrailers();
      return Optional.of(body.toByteArray());
    } catch (IncorrectNewLineException e) {
      throw new MalformedBodyException("a line of a chunked body must end with CR LF");
    } catch (InsufficientDataAvailableException e) {
      throw new CloseConnectionException("the client went away within its body", e);
    }
  }

  private long readSize() {
    String line = readLine();
    var size = SIZE.matcher(line);
    if (!size.matches()) {
      throw new MalformedBodyException("the size of a chunk must be a hexadecimal number");
    }
    return Long.parseLong(size.group(1), 16);
  }

  private void skipTrailers() {
    int length = 0;
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      length += line.length();
      if (length > MAX_TRAILERS) {
        throw new MalformedBodyException("the trailers of a chunked body are too long");
      }
    }
  }

  private String readLine() {
    int length = reader.findNewLine(MAX_LINE);
    if (length >= MAX_LINE) {
      throw new MalformedBodyException("a line of a chunked body is too long");
    }
    String line = reader.readAsciiString(length);
    reader.skip(2); // CR LF
    return line;
  }
}
