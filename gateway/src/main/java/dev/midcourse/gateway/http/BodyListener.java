package dev.midcourse.gateway.http;

/** Gets the content of a body, without its framing, as it is passed on. Must not block. */
@FunctionalInterface
public interface BodyListener {
  /** The bytes are valid only during the call. */
  void content(byte[] bytes, int from, int length);
}
