package dev.midcourse.cli;

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
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.Gate;
import dev.midcourse.core.chat.route.GateResult;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A ledger with a person, two chats, a message, two approvals and a message that was not sent. */
public final class StoredChats {
  private static final ChannelName TELEGRAM = ChannelName.of("telegram");

  private StoredChats() {}

  /** Fills the ledger of a data folder in which no hub runs. */
  public static void in(Path data) {
    Instant now = Instant.now();
    try (Ledger ledger = SqliteLedger.open(data.resolve("midcourse.db"))) {
      ledger.write(tx -> {
        fill(tx.chats(), now);
        return true;
      });
    }
  }

  private static void fill(ChatWriter chats, Instant now) {
    PersonId ada = PersonId.of("ada");
    chats.put(new Person(ada, "Ada", Optional.empty(), now));
    chats.put(new RoleGrant(ada, PersonRole.OWNER, Optional.empty(), Optional.empty(), now));
    Chat family = chat("family", "-100", "The family at home", ChatKind.GROUP, now);
    Chat direct = chat("direct", "7", "Grace", ChatKind.DIRECT, now);
    chats.put(family);
    chats.put(direct);
    chats.store(
        message(family, "m1", "hello there", now),
        Optional.of(family.id()),
        now,
        new RoutingDecision(
            List.of(
                new GateResult(Gate.CHAT, true, Optional.empty(), "the chat is known"),
                new GateResult(Gate.SENDER, false, Optional.empty(), "the sender is unknown")),
            List.of(new RoutingAction.RequestSenderApproval())));
    Instant expires = now.plus(Duration.ofDays(1));
    chats.put(
        new PendingApproval.UnknownSender(
            ApprovalId.of("p1"),
            family.id(),
            Identity.of("telegram:99"),
            "Grace",
            message(family, "m1", "hello there", now),
            Optional.empty(),
            now,
            expires));
    chats.put(
        new PendingApproval.UnknownChat(
            ApprovalId.of("p2"),
            direct.id(),
            Optional.of(Identity.of("telegram:99")),
            "Grace",
            message(direct, "m2", "hi bot", now),
            Optional.empty(),
            now,
            expires));
    for (String id : List.of("o1", "o2")) {
      chats.put(
          new OutboundMessage(
              OutboundId.of(id),
              chats.nextOutboundNumber(),
              new ChatAddress(TELEGRAM, "-100", Optional.empty()),
              new OutboundContent.Text("The answer is 42.", Optional.empty()),
              0,
              Optional.empty(),
              OutboundState.FAILED,
              5,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.of("the bot was removed from the chat"),
              now,
              Optional.empty()));
    }
    OutboundMessage waiting =
        OutboundMessage.queued(
            OutboundId.of("o3"),
            chats.nextOutboundNumber(),
            new ChatAddress(TELEGRAM, "-100", Optional.empty()),
            new OutboundContent.Text("It is done.", Optional.empty()),
            0,
            Optional.empty(),
            Optional.empty(),
            now);
    chats.put(waiting.sending().sent("m3", now).undelivered("the phone is off"));
  }

  private static Chat chat(String id, String platformId, String name, ChatKind kind, Instant now) {
    return new Chat(
        ChatId.of(id),
        TELEGRAM,
        platformId,
        Optional.of(name),
        kind,
        false,
        UnknownSenderPolicy.REQUEST_APPROVAL,
        now);
  }

  private static InboundMessage message(Chat chat, String id, String text, Instant now) {
    return new InboundMessage(
        new MessageRef(TELEGRAM, chat.platformId(), id),
        Optional.empty(),
        id,
        InboundKind.MESSAGE,
        new Sender(Optional.of(Identity.of("telegram:99")), "Grace", SenderKind.PERSON),
        new ChatFacts(chat.kind(), false, chat.name()),
        text,
        text,
        true,
        Optional.empty(),
        List.of(),
        now);
  }
}
