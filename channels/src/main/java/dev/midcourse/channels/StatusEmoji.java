package dev.midcourse.channels;

import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;

/** The emoji of a status, for platforms that take any emoji as a reaction. */
public final class StatusEmoji {
  private StatusEmoji() {}

  public static String of(MessageStatus status) {
    return switch (status) {
      case RUNNING -> "👀";
      case STEERED -> "✍️";
      case QUEUED -> "👌";
      case UNCONFIRMED -> "🤔";
      case NOT_DELIVERED -> "🤷";
      case STOPPED -> "⏹️";
      case ERROR -> "⚠️";
      case DONE -> "✅";
    };
  }
}
