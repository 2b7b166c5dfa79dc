package dev.midcourse.ledger.json;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/** Writes messages of people as JSON objects and reads them back. */
public final class InboundCodec {
  /** A flag or number that an earlier version did not write is false or 0. */
  private static final ObjectReader MESSAGE =
      JsonCodec.mapper()
          .readerFor(InboundMessage.class)
          .with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private InboundCodec() {}

  public static String encode(InboundMessage message) {
    return JsonCodec.write(message);
  }

  /** The message; empty if this version cannot read it. */
  public static Optional<InboundMessage> decode(String json) {
    try {
      return Optional.ofNullable(MESSAGE.readValue(json));
    } catch (JacksonException | RefusedException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Stands for a message that this version cannot read. Its sender is a program, so it gives nobody
   * a right, and its text is empty.
   */
  public static InboundMessage unreadable(MessageRef ref, String updateKey, Instant sentAt) {
    return new InboundMessage(
        ref,
        Optional.empty(),
        updateKey,
        InboundKind.MESSAGE,
        new Sender(Optional.empty(), "unreadable", SenderKind.BOT),
        new ChatFacts(ChatKind.GROUP, false, Optional.empty()),
        "",
        "",
        false,
        Optional.empty(),
        List.of(),
        sentAt);
  }
}
