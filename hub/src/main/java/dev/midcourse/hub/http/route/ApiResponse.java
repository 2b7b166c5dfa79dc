package dev.midcourse.hub.http.route;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.OptionalLong;

/** The response of a route. */
public sealed interface ApiResponse {

  /** Headers of this answer only. */
  Map<String, String> headers();

  /** A value of ours, written as JSON. */
  record Value(int status, Object body, Map<String, String> headers) implements ApiResponse {
    public Value {
      headers = Map.copyOf(headers);
    }
  }

  /** Bytes of some other type; without any when the status allows none. */
  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  record Bytes(int status, String type, byte[] bytes, Map<String, String> headers)
      implements ApiResponse {
    public Bytes {
      headers = Map.copyOf(headers);
    }
  }

  /** Something that is written as it comes. */
  record Flow(String type, OptionalLong length, Map<String, String> headers, Writer writer)
      implements ApiResponse {
    public Flow {
      headers = Map.copyOf(headers);
    }

    public Flow(String type, OptionalLong length, Writer writer) {
      this(type, length, Map.of(), writer);
    }
  }

  /** Writes until there is no more, or the client is gone, which it learns by an exception. */
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
