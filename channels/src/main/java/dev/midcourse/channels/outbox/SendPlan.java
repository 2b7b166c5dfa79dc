package dev.midcourse.channels.outbox;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.core.chat.outbound.OutboundContent;
import java.util.List;

/** What the sender does with a message of the outbox. */
sealed interface SendPlan {

  /**
   * Makes this request.
   *
   * @param first the content that the request carries out
   * @param rest contents that become messages of their own and follow at once
   */
  record Call(ChannelRequest request, OutboundContent first, List<OutboundContent> rest)
      implements SendPlan {
    public Call {
      rest = List.copyOf(rest);
    }
  }

  /** Sends nothing, because the channel has no form for it and nobody misses it. */
  record Skip(String reason) implements SendPlan {}

  /** Sends nothing; a person must know. */
  record Fail(String reason) implements SendPlan {}

  /** Gives its text to the message that it edits, which was not sent yet. */
  record ChangeTarget(OutboundContent content) implements SendPlan {}
}
