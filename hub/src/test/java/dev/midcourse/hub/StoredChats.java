package dev.midcourse.hub;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.outbound.ChatAddress;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundId;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.RunId;
import dev.midcourse.ledger.Ledger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Puts chats and messages into a ledger as the engine does when people write. */
record StoredChats(Ledger ledger) {
  static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  static final ChannelName TELEGRAM = ChannelName.of("telegram");

  Chat chat(String id, String platformId, String name, ChatKind kind) {
    Chat chat =
        new Chat(
            ChatId.of(id),
            TELEGRAM,
            platformId,
            Optional.of(name),
            kind,
            false,
            UnknownSenderPolicy.REQUEST_APPROVAL,
            NOON);
    return ledger.write(tx -> {
      tx.chats().put(chat);
      return chat;
    });
  }

  long message(Chat chat, String id, String text, RoutingDecision decision) {
    return ledger.write(tx ->
        tx.chats().store(inbound(chat, id, text), Optional.of(chat.id()), NOON, decision).number());
  }

  static InboundMessage inbound(Chat chat, String id, String text) {
    return new InboundMessage(
        new MessageRef(chat.channel(), chat.platformId(), id),
        Optional.empty(),
        chat.platformId() + "-" + id,
        InboundKind.MESSAGE,
        new Sender(Optional.of(Identity.of("telegram:99")), "Mallory", SenderKind.PERSON),
        new ChatFacts(chat.kind(), chat.threads(), chat.name()),
        text,
        text,
        true,
        Optional.empty(),
        List.of(),
        NOON);
  }

  void pendingSender(String id, Chat chat, Instant expires) {
    ledger.write(tx -> {
      tx.chats()
          .put(
              new PendingApproval.UnknownSender(
                  ApprovalId.of(id),
                  chat.id(),
                  Identity.of("telegram:99"),
                  "Mallory",
                  inbound(chat, "m-" + id, "let me in"),
                  Optional.empty(),
                  NOON,
                  expires));
      return true;
    });
  }

  void pendingChat(String id, Chat chat, Instant expires) {
    ledger.write(tx -> {
      tx.chats()
          .put(
              new PendingApproval.UnknownChat(
                  ApprovalId.of(id),
                  chat.id(),
                  Optional.of(Identity.of("telegram:99")),
                  "Mallory",
                  inbound(chat, "m-" + id, "hello bot"),
                  Optional.empty(),
                  NOON,
                  expires));
      return true;
    });
  }

  void outbound(String id, Chat chat, OutboundState state, Optional<RunId> run) {
    ledger.write(tx -> {
      tx.chats()
          .put(
              new OutboundMessage(
                  OutboundId.of(id),
                  tx.chats().nextOutboundNumber(),
                  new ChatAddress(chat.channel(), chat.platformId(), Optional.empty()),
                  new OutboundContent.Text("answer " + id, Optional.empty()),
                  0,
                  Optional.empty(),
                  state,
                  5,
                  Optional.empty(),
                  Optional.empty(),
                  run,
                  Optional.of("the bot was removed"),
                  Instant.now(),
                  Optional.empty()));
      return true;
    });
  }
}
