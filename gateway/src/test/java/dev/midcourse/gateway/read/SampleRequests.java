package dev.midcourse.gateway.read;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.steer.SteerFrameReader;
import dev.midcourse.gateway.http.ByteSource;
import dev.midcourse.gateway.http.HeadReader;
import dev.midcourse.gateway.http.RequestHead;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Requests as an agent sends them. */
public final class SampleRequests {
  public static final SteerId STEER = steer(1);
  public static final String FRAME = frame(1, "Use tabs, née “é” 😀.");

  private SampleRequests() {}

  public static SteerId steer(int n) {
    return SteerId.of("00000000-0000-4000-8000-%012x".formatted(n));
  }

  /** Returns a frame in the form of the product. */
  public static String frame(int n, String text) {
    String frame =
        "[midcourse steer %s from main via terminal, %d bytes: a correction]\n%s\n[end of midcourse steer %s]"
            .formatted(steer(n), text.getBytes(UTF_8).length, text, steer(n));
    if (SteerFrameReader.find(frame).size() != 1) {
      throw new IllegalStateException("no frame: " + frame);
    }
    return frame;
  }

  public static String json(String text) {
    return JsonWriter.compact(JsonValue.of(text));
  }

  public static RequestHead head(String method, String path, String headers) {
    String text = method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
    try {
      ByteSource source = new ByteSource(new ByteArrayInputStream(text.getBytes(ISO_8859_1)));
      return RequestHead.of(HeadReader.read(source).orElseThrow());
    } catch (IOException invalid) {
      throw new UncheckedIOException(invalid);
    }
  }

  static ReadRequest read(String path, String headers, String body) {
    return read("POST", path, headers, body.getBytes(UTF_8));
  }

  static ReadRequest read(String method, String path, String headers, byte[] body) {
    return RequestReader.read(head(method, path, headers), body);
  }
}
