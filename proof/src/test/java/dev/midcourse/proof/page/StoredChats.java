package dev.midcourse.proof.page;

import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
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
import dev.midcourse.core.chat.route.Gate;
import dev.midcourse.core.chat.route.GateResult;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A ledger with two chats, messages in both directions, a finished run that one of them steered,
 * two approvals and messages that were not sent.
 */
final class StoredChats {
  private static final ChannelName TELEGRAM = ChannelName.of("telegram");
  private static final WorkerName ANDY = WorkerName.of("andy");
  private static final RunId RUN = RunId.of("from-chat");
  private static final SteerId STEER = SteerId.of("8e2f6a0c-5b1d-4c57-9a44-1f0b7f7f2c11");

  private StoredChats() {}

  /** Fills the ledger of a data folder in which no hub runs. */
  static void in(Path data) {
    Instant now = Instant.now();
    try (Ledger ledger = SqliteLedger.open(data.resolve("midcourse.db"))) {
      ledger.write(tx -> {
        fill(tx, now);
        return true;
      });
    }
  }

  private static void fill(Transaction tx, Instant now) {
    ChatWriter chats = tx.chats();
    Chat family = chat("family", "-100", "The family at home", ChatKind.GROUP, now);
    Chat direct = chat("direct", "7", "Grace", ChatKind.DIRECT, now);
    chats.put(family);
    chats.put(direct);
    chats.put(Wiring.withDefaults(WiringId.of("w1"), family, ANDY, now));
    tx.put(run(now));
    tx.put(steer(now));
    chats.store(
        message(family, "m1", "hello there", now.minusSeconds(60)),
        Optional.of(family.id()),
        now,
        new RoutingDecision(
            List.of(
                new GateResult(Gate.CHAT, true, Optional.empty(), "the chat is known"),
                new GateResult(Gate.SENDER, false, Optional.empty(), "the sender is unknown")),
            List.of(new RoutingAction.RequestSenderApproval())));
    InboundMessage steered = message(family, "m2", "use tabs <b>please</b>", now.minusSeconds(30));
    chats.store(
        steered,
        Optional.of(family.id()),
        now,
        new RoutingDecision(
            List.of(new GateResult(Gate.ENGAGE, true, Optional.of(ANDY), "it mentions the bot")),
            List.of(
                new RoutingAction.SteerRun(
                    new ConversationKey(ANDY, Optional.of(family.id()), Optional.empty()),
                    RUN,
                    SteerMode.STEER,
                    1))));
    chats.connect(steered.ref(), RUN, Optional.of(STEER));
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
            message(direct, "m3", "hi bot", now),
            Optional.empty(),
            now,
            expires));
    outbound(chats, "o1", OutboundState.FAILED, Optional.of("the bot was removed"), now);
    outbound(chats, "o2", OutboundState.SENT, Optional.empty(), now);
  }

  private static void outbound(
      ChatWriter chats, String id, OutboundState state, Optional<String> problem, Instant now) {
    chats.put(
        new OutboundMessage(
            OutboundId.of(id),
            chats.nextOutboundNumber(),
            new ChatAddress(TELEGRAM, "-100", Optional.empty()),
            new OutboundContent.Text("The answer of " + id, Optional.empty()),
            0,
            Optional.empty(),
            state,
            5,
            Optional.empty(),
            Optional.empty(),
            Optional.of(RUN),
            problem,
            now,
            Optional.empty()));
  }

  private static Run run(Instant now) {
    return new Run(
        RUN,
        new RunSpec(
            "fix it",
            AgentName.of("rehearsal"),
            ANDY,
            "/w",
            Author.person("cli"),
            PendingPolicy.ALL,
            5,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        RunState.DONE,
        1,
        0,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        1,
        new Usage(1, 1, 0),
        now.minusSeconds(60),
        Optional.of(now.minusSeconds(59)),
        Optional.of(now),
        Optional.of("done"));
  }

  private static Steer steer(Instant now) {
    return new Steer(
        STEER,
        RUN,
        1,
        Author.person("cli"),
        SteerMode.STEER,
        Optional.empty(),
        OnUnsupported.DEGRADE,
        SteerText.of("use tabs"),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        List.of(
            new RungClaim(Rung.STORED, now.minusSeconds(30), 0, "committed to the ledger"),
            new RungClaim(Rung.OFFERED, now.minusSeconds(29), 1, "written")),
        Optional.empty(),
        Optional.of(new SteerEnding(SteerEnd.UNKNOWN, now, "the agent died")));
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
