package dev.midcourse.agents.rpc;

import java.util.Optional;

/**
 * The id of a call of ours, which says what was asked and about what ({@code steer:ID}, {@code
 * prompt:3}), so that the answer explains itself to a hub that did not ask.
 *
 * @param kind what was asked, without a colon
 * @param about what it was about; empty if it was about nothing in particular
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

  /** The id as it is written. */
  public String text() {
    return about.isEmpty() ? kind : kind + ":" + about;
  }
}
