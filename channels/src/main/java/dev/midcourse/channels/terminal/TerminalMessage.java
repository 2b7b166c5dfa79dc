package dev.midcourse.channels.terminal;

import dev.midcourse.core.chat.outbound.OutboundContent.Button;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A message as a client shows it.
 *
 * @param author the person who wrote it; empty if Midcourse did
 * @param status what became of it, for the message of a person
 * @param buttons empty once a card is closed
 * @param file the path of a file on this machine
 */
public record TerminalMessage(
    String id,
    Optional<String> thread,
    Optional<String> author,
    String text,
    Optional<String> replyTo,
    Optional<MessageStatus> status,
    List<Button> buttons,
    Optional<String> file,
    boolean deleted,
    Instant at) {
  public TerminalMessage {
    buttons = List.copyOf(buttons);
  }

  static TerminalMessage of(
      String id,
      Optional<String> thread,
      Optional<String> author,
      String text,
      Optional<String> replyTo,
      Instant at) {
    return new TerminalMessage(
        id,
        thread,
        author,
        text,
        replyTo,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        false,
        at);
  }

  TerminalMessage withText(String other) {
    return new TerminalMessage(
        id, thread, author, other, replyTo, status, buttons, file, deleted, at);
  }

  TerminalMessage withStatus(MessageStatus other) {
    return new TerminalMessage(
        id, thread, author, text, replyTo, Optional.of(other), buttons, file, deleted, at);
  }

  TerminalMessage withButtons(List<Button> others) {
    return new TerminalMessage(
        id, thread, author, text, replyTo, status, others, file, deleted, at);
  }

  TerminalMessage withFile(String path) {
    return new TerminalMessage(
        id, thread, author, text, replyTo, status, buttons, Optional.of(path), deleted, at);
  }

  TerminalMessage asDeleted() {
    return new TerminalMessage(id, thread, author, "", replyTo, status, buttons, file, true, at);
  }
}
