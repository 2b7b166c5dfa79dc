package dev.midcourse.engine.conversation.tools;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.Utf8;
import dev.midcourse.core.chat.inbound.InboundMessage;

/** The rules for text that an agent writes to people. */
final class MessageText {
  private MessageText() {}

  /** Refuses text that is blank, too long or not Unicode. */
  static void check(String field, String text) {
    if (text.isBlank()) {
      throw Problem.invalid(field, "not blank", field + " is blank").refused();
    }
    if (Utf8.longerThan(text, InboundMessage.MAX_TEXT_BYTES)) {
      throw Problem.of(Code.TOO_LARGE, field, "at most 256 KiB", field + " is over 256 KiB")
          .refused();
    }
    if (text.indexOf('\0') >= 0 || !Utf8.isWhole(text)) {
      throw Problem.invalid(field, "valid Unicode without NUL", field + " is not plain text")
          .refused();
    }
  }
}
