package dev.midcourse.agents.rpc;

import java.util.Optional;

/**
 * The id of a call from the hub. The id contains the kind and the subject of the call ({@code
 * steer:ID}, {@code prompt:3}), so a hub that did not send the call can still understand the
 * answer.
 *
 * @param kind the kind of the call, without a colon
 * @param about the subject of the call; empty if there is none
 */
public record CallId(String kind, String about) {
  public CallId {
    if (kind.isEmpty() || kind.indexOf(':') >= 0) {
      throw new IllegalArgumentException("the kind of a call is a word without a colon: " + kind);
    }
  }

  public static CallId of(String kind) {
    return new CallId(kind, "");
  }

  public static CallId of(String kind, Object about) {
    return new CallId(kind, about.toString());
  }

  static Optional<CallId> read(String id) {
    int colon = id.indexOf(':');
    if (colon < 0) {
      return id.isEmpty() ? Optional.empty() : Optional.of(of(id));
    }
    return colon == 0
        ? Optional.empty()
        : Optional.of(new CallId(id.substring(0, colon), id.substring(colon + 1)));
  }

  /** Returns the id as it is written in a message. */
  public String text() {
    return about.isEmpty() ? kind : kind + ":" + about;
  }
}
