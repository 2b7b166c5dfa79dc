package dev.midcourse.core.chat.person;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.chat.ChannelName;

/**
 * An account of a person in a channel, such as {@code telegram:42}. The handle is the stable id
 * that the platform gives, never a name that its owner can change.
 */
public record Identity(ChannelName channel, String handle) {
  private static final int MAX_HANDLE = 200;

  public Identity {
    if (handle.isBlank()
        || handle.length() > MAX_HANDLE
        || handle
            .codePoints()
            .anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
      throw Problem.invalid(
              "identity",
              "CHANNEL:HANDLE, with a handle of 1 to 200 characters without spaces",
              "the handle of an identity is invalid: got " + WireNames.shown(handle))
          .refused();
    }
  }

  /** Reads {@code telegram:42}. The handle may contain further colons. */
  public static Identity of(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw Problem.invalid(
              "identity",
              "CHANNEL:HANDLE, such as telegram:42",
              "an identity must be CHANNEL:HANDLE; got " + WireNames.shown(text))
          .refused();
    }
    return new Identity(ChannelName.of(text.substring(0, colon)), text.substring(colon + 1));
  }

  @Override
  public String toString() {
    return channel + ":" + handle;
  }
}
