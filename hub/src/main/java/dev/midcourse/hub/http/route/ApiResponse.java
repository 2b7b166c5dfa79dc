package dev.midcourse.hub.http.route;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.OptionalLong;

/** The response of a route. */
public sealed interface ApiResponse {

  /** Returns the headers of this response only. */
  Map<String, String> headers();

  /** A value that is written as JSON. */
  record Value(int status, Object body, Map<String, String> headers) implements ApiResponse {
    public Value {
      headers = Map.copyOf(headers);
    }
  }

  /** Bytes of another type. Empty for a status without a body. */
  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  record Bytes(int status, String type, byte[] bytes, Map<String, String> headers)
      implements ApiResponse {
    public Bytes {
      headers = Map.copyOf(headers);
    }
  }

  /** A stream that is written while its data arrive. */
  record Flow(String type, OptionalLong length, Map<String, String> headers, Writer writer)
      implements ApiResponse {
    public Flow {
      headers = Map.copyOf(headers);
    }

    public Flow(String type, OptionalLong length, Writer writer) {
      this(type, length, Map.of(), writer);
    }
  }

  /** Writes until the end of the data. Throws if the client is gone. */
  @FunctionalInterface
  interface Writer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  static ApiResponse ok(Object body) {
    return new Value(200, body, Map.of());
  }

  static ApiResponse created(Object body) {
    return new Value(201, body, Map.of());
  }

  static ApiResponse of(int status, Object body) {
    return new Value(status, body, Map.of());
  }
}
