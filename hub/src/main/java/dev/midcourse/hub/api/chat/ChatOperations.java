package dev.midcourse.hub.api.chat;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.Engagement;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.ApprovalRules;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.conversation.context.ConversationWorkers;
import dev.midcourse.hub.api.access.AccessControl;
import dev.midcourse.hub.api.chat.ChatRequests.ChatChange;
import dev.midcourse.hub.api.chat.ChatRequests.Decision;
import dev.midcourse.hub.api.chat.ChatRequests.NewWiring;
import dev.midcourse.hub.api.chat.ChatRequests.WiringChange;
import dev.midcourse.hub.api.chat.ChatViews.OneApproval;
import dev.midcourse.hub.api.chat.ChatViews.OneChat;
import dev.midcourse.hub.api.chat.ChatViews.OneConversation;
import dev.midcourse.hub.api.chat.ChatViews.OneQuestion;
import dev.midcourse.hub.api.chat.ChatViews.OneWiring;
import dev.midcourse.hub.api.operation.HubContext;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.chat.ChatReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Chats, their wirings, and the approvals that wait. A change counts from the next message on:
 * nothing is cached. A change that answers an approval closes it. Each change is recorded in the
 * log.
 */
public final class ChatOperations {
  private static final int ID_LENGTH = 6;
  private static final int MAX_QUESTIONS = 500;

  private final HubContext context;
  private final Ledger ledger;
  private final AccessControl accessControl;
  private final ApprovalDecider decider;
  private final ConversationWorkers workers;

  public ChatOperations(HubContext context, ApprovalDecider decider, ConversationWorkers workers) {
    this.context = context;
    this.ledger = context.engine().ledger();
    this.accessControl = context.permits();
    this.decider = decider;
    this.workers = workers;
  }

  List<OneChat> chats(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      return chats.chats().stream().map(chat -> view(chats, chat)).toList();
    });
  }

  OneChat chat(Caller caller, String named) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> view(at.chats(), ChatNames.chat(at.chats(), named)));
  }

  OneChat change(Caller caller, String named, ChatChange request) {
    accessControl.require(caller, new Action.ManageChats("change a chat"));
    Instant now = context.clock().instant();
    OneChat changed =
        ledger.write(tx -> {
          Chat before = ChatNames.chat(tx.chats(), named);
          Chat chat =
              new Chat(
                  before.id(),
                  before.channel(),
                  before.platformId(),
                  request.name().isEmpty()
                      ? before.name()
                      : request.name().filter(name -> !name.isEmpty()),
                  before.kind(),
                  before.threads(),
                  request.unknownSenderPolicy().orElse(before.unknownSenders()),
                  before.createdAt());
          tx.chats().put(chat);
          ChangeLog.append(
              tx, now, caller, "changed chat " + chat.id() + ": " + chat.unknownSenders().wire());
          return view(tx.chats(), chat);
        });
    decider.settle(caller);
    return changed;
  }

  /** Deletes a chat with wirings, approvals and conversations, and returns it as it was. */
  OneChat delete(Caller caller, String named) {
    accessControl.require(caller, new Action.ManageChats("delete a chat"));
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Chat chat = ChatNames.chat(tx.chats(), named);
      OneChat before = view(tx.chats(), chat);
      tx.chats().deleteChat(chat.id());
      ChangeLog.append(tx, now, caller, "deleted chat " + chat.id());
      return before;
    });
  }

  List<OneWiring> wirings(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      return chats.wirings().stream().map(wiring -> view(chats, wiring)).toList();
    });
  }

  OneWiring wire(Caller caller, NewWiring request) {
    accessControl.require(caller, new Action.LetIn(request.worker()));
    context.workers().refuseMistyped(request.worker());
    Instant now = context.clock().instant();
    OneWiring wired =
        ledger.write(tx -> {
          Chat chat = ChatNames.chat(tx.chats(), request.chat());
          tx.chats().wirings(chat.id()).stream()
              .filter(wiring -> wiring.worker().equals(request.worker()))
              .findFirst()
              .ifPresent(wiring -> {
                throw Problem.of(
                        Code.DUPLICATE,
                        "worker",
                        "one wiring for a chat and a worker",
                        "chat "
                            + chat.id()
                            + " is wired to "
                            + request.worker()
                            + " already, by wiring "
                            + wiring.id())
                    .refused();
              });
          WiringId id = WiringId.of(context.ids().token(ID_LENGTH));
          Wiring wiring =
              changed(Wiring.withDefaults(id, chat, request.worker(), now), request.change());
          tx.chats().put(wiring);
          ChangeLog.append(tx, now, caller, "wired chat " + chat.id() + " to " + wiring.worker());
          return OneWiring.of(wiring, chat.title());
        });
    decider.settle(caller);
    return wired;
  }

  OneWiring change(Caller caller, String named, WiringChange request) {
    requireWiring(caller, named);
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Wiring wiring = changed(ChatNames.wiring(tx.chats(), named), request);
      tx.chats().put(wiring);
      ChangeLog.append(tx, now, caller, "changed wiring " + wiring.id());
      return view(tx.chats(), wiring);
    });
  }

  /** Deletes a wiring and returns it as it was. */
  OneWiring unwire(Caller caller, String named) {
    requireWiring(caller, named);
    Instant now = context.clock().instant();
    return ledger.write(tx -> {
      Wiring wiring = ChatNames.wiring(tx.chats(), named);
      OneWiring before = view(tx.chats(), wiring);
      tx.chats().deleteWiring(wiring.id());
      ChangeLog.append(
          tx, now, caller, "unwired chat " + wiring.chat() + " from " + wiring.worker());
      return before;
    });
  }

  /** Whether a wiring exists is told only to callers who may see chats. */
  private void requireWiring(Caller caller, String named) {
    Optional<WorkerName> worker =
        ledger.read(at ->
            at.chats().wirings().stream()
                .filter(wiring -> wiring.id().value().equals(named))
                .map(Wiring::worker)
                .findFirst());
    accessControl.require(
        caller,
        worker
            .map(name -> (Action) new Action.LetIn(name))
            .orElseGet(() -> new Action.ManageChats("change a wiring")));
  }

  private static Wiring changed(Wiring wiring, WiringChange request) {
    return new Wiring(
        wiring.id(),
        wiring.chat(),
        wiring.worker(),
        engagement(wiring.engagement(), request),
        request.senderScope().orElse(wiring.senderScope()),
        request.ignoredMessagePolicy().orElse(wiring.ignored()),
        request.sessionMode().orElse(wiring.sessionMode()),
        request.priority().orElse(wiring.priority()),
        request.onLiveRun().orElse(wiring.onLiveRun()),
        request.debounce().orElse(wiring.debounce()),
        wiring.createdAt());
  }

  /** A pattern without a mode means the mode of patterns; another mode ends the pattern. */
  private static Engagement engagement(Engagement before, WiringChange request) {
    if (request.engageMode().isEmpty() && request.engagePattern().isEmpty()) {
      return before;
    }
    EngageMode mode = request.engageMode().orElse(EngageMode.PATTERN);
    Optional<EngagePattern> pattern =
        request
            .engagePattern()
            .or(() -> mode == EngageMode.PATTERN ? before.pattern() : Optional.empty());
    return new Engagement(mode, pattern);
  }

  List<OneConversation> conversations(Caller caller, int limit) {
    accessControl.require(caller, new Action.SeeChats());
    return ledger.read(at -> at.chats().conversations(limit)).stream()
        .map(OneConversation::of)
        .toList();
  }

  /** The approvals that wait and have not expired. */
  List<OneApproval> approvals(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    Instant now = context.clock().instant();
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      return chats.approvals().stream()
          .filter(approval -> now.isBefore(approval.expiresAt()))
          .map(approval -> view(chats, approval))
          .toList();
    });
  }

  /** Decides an approval. The answer says who decided if somebody else was first. */
  ChatViews.Decided decide(Caller caller, String named, Decision request) {
    ApprovalDecision decision = decision(request);
    requireOne(caller, sufficient(named, decision));
    if (decision instanceof ApprovalDecision.WireTo(WorkerName worker)) {
      context.workers().refuseMistyped(worker);
    }
    return decider
        .decide(ApprovalId.of(named), decision, caller)
        .map(outcome -> new ChatViews.Decided(named, outcome.counted(), outcome.words()))
        .orElseThrow(() ->
            Problem.of(
                    Code.NOT_FOUND,
                    "approval_id",
                    "a pending approval",
                    "approval " + named + " is not pending")
                .refused());
  }

  private void requireOne(Caller caller, List<Action> actions) {
    if (actions.stream().noneMatch(action -> Authority.objection(caller, action).isEmpty())) {
      accessControl.require(caller, actions.getFirst());
    }
  }

  private List<Action> sufficient(String named, ApprovalDecision decision) {
    return ledger.read(at -> {
      ChatReader chats = at.chats();
      return chats
          .approval(ApprovalId.of(named))
          .map(approval ->
              ApprovalRules.sufficient(approval, decision, workers(chats, approval.chat())))
          .orElseGet(() -> List.of(new Action.ManageChats("decide an approval")));
    });
  }

  private static ApprovalDecision decision(Decision request) {
    return switch (request.decision()) {
      case ALLOW -> new ApprovalDecision.AllowSender();
      case DENY -> new ApprovalDecision.Deny();
      case WIRE -> new ApprovalDecision.WireTo(worker(request));
      case CREATE -> new ApprovalDecision.CreateWorker(worker(request));
    };
  }

  private static WorkerName worker(Decision request) {
    return request
        .worker()
        .orElseThrow(() ->
            Problem.invalid(
                    "worker",
                    "required for wire and create",
                    "name the worker of the chat in the field worker")
                .refused());
  }

  /** The questions of agents that wait for an answer in a chat. */
  List<OneQuestion> questions(Caller caller) {
    accessControl.require(caller, new Action.SeeChats());
    Instant now = context.clock().instant();
    return ledger.read(at -> at.chats().questions(MAX_QUESTIONS)).stream()
        .filter(question -> question.isOpen(now))
        .map(OneQuestion::of)
        .toList();
  }

  private static List<WorkerName> workers(ChatReader chats, ChatId chat) {
    return chats.wirings(chat).stream().map(Wiring::worker).toList();
  }

  OneApproval view(ChatReader chats, PendingApproval approval) {
    List<WorkerName> choices =
        switch (approval) {
          case PendingApproval.UnknownSender asked -> workers(chats, asked.chat());
          case PendingApproval.UnknownChat _ -> workers.wireable();
        };
    return OneApproval.of(
        approval,
        chats.chat(approval.chat()).map(Chat::title).orElse(approval.chat().value()),
        approval.approver().flatMap(chats::person).map(Person::name),
        choices.stream().map(WorkerName::value).toList(),
        workers.hasTemplate());
  }

  static OneChat view(ChatReader chats, Chat chat) {
    return OneChat.of(chat, chats.wirings(chat.id()));
  }

  private static OneWiring view(ChatReader chats, Wiring wiring) {
    return OneWiring.of(
        wiring, chats.chat(wiring.chat()).map(Chat::title).orElse(wiring.chat().value()));
  }
}
