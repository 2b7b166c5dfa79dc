package dev.midcourse.core.chat.approval;

import dev.midcourse.core.chat.ChatIdRule;

/** The id of a pending approval; short, because people type it. */
public record ApprovalId(String value) {
  public ApprovalId {
    ChatIdRule.check("approval_id", value);
  }

  public static ApprovalId of(String text) {
    return new ApprovalId(text);
  }

  @Override
  public String toString() {
    return value;
  }
}
