package dev.midcourse.gateway.pump;

import dev.midcourse.gateway.http.ResponseHead;

/**
 * Gets a copy of one request and its response while they pass. No method may block or throw. The
 * methods for the request and those for the response are called by two threads. {@link
 * #requestEnded} and {@link #ended} are each called once, in any order.
 */
public interface ExchangeObserver {
  /** The bytes are valid only during the call. */
  void requestContent(byte[] bytes, int from, int length);

  /** Ends the request. It is not whole if the agent or the provider closed its connection. */
  void requestEnded(boolean whole);

  void responded(ResponseHead head);

  /** The bytes are valid only during the call. */
  void responseContent(byte[] bytes, int from, int length);

  void ended(ExchangeEnd how);
}
