package dev.midcourse.engine.conversation;

import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.authority.Action;
import dev.midcourse.core.authority.Authority;
import dev.midcourse.core.authority.Caller;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.approval.ApprovalDecision;
import dev.midcourse.core.chat.approval.ApprovalId;
import dev.midcourse.core.chat.approval.DecidedApproval;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.WorkerPlans;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Ledger.Priority;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatReader;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides requests to let a sender or a chat in. A decision is one transaction: it gives the
 * rights, closes the request and its cards, and routes the stored message again with its own time.
 * A denial is not remembered, so the next message asks again.
 */
public final class ApprovalService {
  private final ConversationContext context;
  private final MessageIntake intake;

  ApprovalService(ConversationContext context, MessageIntake intake) {
    this.context = context;
    this.intake = intake;
  }

  /**
   * Decides a pending request.
   *
   * @param by the name of the person who decides, for others who click later
   * @return what was decided, now or before
   */
  public Decided decide(
      ApprovalId id,
      ApprovalDecision decision,
      Caller caller,
      String by,
      Optional<PersonId> person) {
    Optional<WorkerName> made =
        decision instanceof ApprovalDecision.CreateWorker(WorkerName name)
            ? Optional.of(context.workers().fromTemplate(name.value()))
            : Optional.empty();
    ApprovalDecision wanted =
        made.<ApprovalDecision>map(ApprovalDecision.WireTo::new).orElse(decision);
    made.ifPresent(_ -> require(caller, new Action.CreateWorker()));
    List<Wiring> wirings =
        context
            .ledger()
            .read(r ->
                r.chats()
                    .approval(id)
                    .map(pending -> r.chats().wirings(pending.chat()))
                    .orElse(List.of()));
    WorkerPlans plans = WorkerPlans.of(context.workers(), wirings, made);
    CommitEffects effects = new CommitEffects();
    Decided decided =
        context
            .ledger()
            .write(
                Priority.STEER,
                tx -> decide(tx, id, wanted, caller, by, person, plans, effects),
                result -> {
                  intake.after(effects);
                  return result;
                });
    context.timers().cancel(timer(id));
    return decided;
  }

  /**
   * A request that is decided.
   *
   * @param counted whether this call decided it; false if it was decided before
   */
  public record Decided(DecidedApproval approval, boolean counted) {
    /** The result for the person who decided just now. */
    public String text() {
      return counted
          ? approval.result()
          : "Already decided by " + approval.by() + ": " + approval.result();
    }
  }

  private Decided decide(
      Transaction tx,
      ApprovalId id,
      ApprovalDecision decision,
      Caller caller,
      String by,
      Optional<PersonId> person,
      WorkerPlans plans,
      CommitEffects effects) {
    ChatWriter chats = tx.chats();
    Instant now = context.now();
    Optional<DecidedApproval> before = chats.decidedApproval(id);
    if (before.isPresent()) {
      return new Decided(before.get(), false);
    }
    PendingApproval pending = chats.approval(id).orElseThrow(() -> notFound(id));
    Chat chat = chats.chat(pending.chat()).orElseThrow(() -> notFound(id));
    String result =
        switch (decision) {
          case ApprovalDecision.AllowSender() -> allowSender(chats, pending, caller, person, now);
          case ApprovalDecision.WireTo(WorkerName worker) ->
              wire(chats, pending, chat, plans.require(worker).worker(), caller, person, now);
          case ApprovalDecision.CreateWorker _ -> throw new IllegalStateException("not resolved");
          case ApprovalDecision.Deny() -> deny(chats, pending, caller);
        };
    DecidedApproval decided = new DecidedApproval(id, result, by, now);
    close(chats, decided, effects, now);
    if (decision instanceof ApprovalDecision.Deny) {
      tellTurnedDown(chats, pending, effects, now);
    } else {
      replay(tx, chats, pending, plans, effects);
    }
    return new Decided(decided, true);
  }

  /**
   * Closes the requests that a change of people, chats or wirings has answered, and routes their
   * messages again: the chat has a worker now, or the sender may talk to one.
   *
   * @param by the name of the person who made the change
   */
  public void settle(String by) {
    List<PendingApproval> answered =
        context
            .ledger()
            .read(r ->
                r.chats().approvals().stream()
                    .filter(pending -> answer(r.chats(), pending).isPresent())
                    .toList());
    answered.forEach(pending -> settle(pending, by));
  }

  private void settle(PendingApproval request, String by) {
    List<Wiring> wirings = context.ledger().read(r -> r.chats().wirings(request.chat()));
    WorkerPlans plans = WorkerPlans.of(context.workers(), wirings);
    CommitEffects effects = new CommitEffects();
    context
        .ledger()
        .write(
            Priority.STEER,
            tx -> {
              ChatWriter chats = tx.chats();
              Instant now = context.now();
              Optional<PendingApproval> pending = chats.approval(request.id());
              Optional<String> result = pending.flatMap(it -> answer(chats, it));
              if (pending.isPresent() && result.isPresent()) {
                close(
                    chats, new DecidedApproval(request.id(), result.get(), by, now), effects, now);
                replay(tx, chats, pending.get(), plans, effects);
              }
              return effects;
            },
            done -> {
              intake.after(done);
              return done;
            });
    context.timers().cancel(timer(request.id()));
  }

  /** What people, chats and wirings say to a request that nobody has decided. */
  private static Optional<String> answer(ChatReader chats, PendingApproval pending) {
    List<WorkerName> workers = chats.wirings(pending.chat()).stream().map(Wiring::worker).toList();
    Optional<Chat> chat = chats.chat(pending.chat());
    if (workers.isEmpty() || chat.isEmpty()) {
      return Optional.empty();
    }
    return switch (pending) {
      case PendingApproval.UnknownChat _ ->
          Optional.of(chat.get().title() + " talks to " + names(workers));
      case PendingApproval.UnknownSender request -> {
        List<RoleGrant> roles =
            chats
                .personOf(request.sender())
                .map(person -> chats.roles(person.id()))
                .orElse(List.of());
        boolean isPublic = chat.get().unknownSenders() == UnknownSenderPolicy.PUBLIC;
        List<WorkerName> open =
            workers.stream()
                .filter(
                    worker -> isPublic || roles.stream().anyMatch(grant -> grant.covers(worker)))
                .toList();
        yield open.isEmpty()
            ? Optional.empty()
            : Optional.of(request.senderName() + " may talk to " + names(open));
      }
    };
  }

  private String allowSender(
      ChatWriter chats,
      PendingApproval pending,
      Caller caller,
      Optional<PersonId> by,
      Instant now) {
    if (!(pending instanceof PendingApproval.UnknownSender request)) {
      throw Problem.invalid(
              "decision",
              "a worker for an unknown chat",
              "request " + pending.id() + " asks for a worker; name one")
          .refused();
    }
    List<WorkerName> workers =
        chats.wirings(request.chat()).stream()
            .map(Wiring::worker)
            .filter(worker -> Authority.objection(caller, new Action.LetIn(worker)).isEmpty())
            .toList();
    if (workers.isEmpty()) {
      chats.wirings(request.chat()).stream()
          .findFirst()
          .ifPresent(wiring -> require(caller, new Action.LetIn(wiring.worker())));
      throw Problem.invalid("approval_id", "a wired chat", "the chat has no worker any more")
          .refused();
    }
    workers.forEach(
        worker -> makeMember(chats, request.sender(), request.senderName(), worker, by, now));
    return request.senderName() + " may talk to " + names(workers);
  }

  private String wire(
      ChatWriter chats,
      PendingApproval pending,
      Chat chat,
      WorkerName worker,
      Caller caller,
      Optional<PersonId> by,
      Instant now) {
    require(caller, new Action.LetIn(worker));
    if (!(pending instanceof PendingApproval.UnknownChat request)) {
      throw Problem.invalid(
              "decision",
              "allow or deny for an unknown sender",
              "request " + pending.id() + " is about a sender; allow or deny it")
          .refused();
    }
    boolean wired = chats.wirings(chat.id()).stream().anyMatch(it -> it.worker().equals(worker));
    if (!wired) {
      chats.put(Wiring.withDefaults(WiringId.of(context.newId()), chat, worker, now));
    }
    request
        .sender()
        .ifPresent(sender -> makeMember(chats, sender, request.senderName(), worker, by, now));
    return chat.title() + " talks to " + worker;
  }

  private static String deny(ChatWriter chats, PendingApproval pending, Caller caller) {
    List<Wiring> wirings = chats.wirings(pending.chat());
    boolean may =
        wirings.isEmpty()
            ? Authority.objection(caller, new Action.CreateWorker()).isEmpty()
            : wirings.stream()
                .anyMatch(
                    it -> Authority.objection(caller, new Action.LetIn(it.worker())).isEmpty());
    if (!may) {
      throw Problem.of(
              Code.FORBIDDEN,
              "approval_id",
              "an admin of the worker, or an owner",
              "you may not decide this request")
          .refused();
    }
    return "denied";
  }

  private void makeMember(
      ChatWriter chats,
      Identity identity,
      String name,
      WorkerName worker,
      Optional<PersonId> by,
      Instant now) {
    Person person =
        chats
            .personOf(identity)
            .orElseGet(() -> {
              Person made = new Person(PersonId.of(context.newId()), name, Optional.empty(), now);
              chats.put(made);
              chats.put(new LinkedIdentity(identity, made.id(), name, now));
              return made;
            });
    boolean known = chats.roles(person.id()).stream().anyMatch(grant -> grant.covers(worker));
    if (!known) {
      chats.put(new RoleGrant(person.id(), PersonRole.MEMBER, Optional.of(worker), by, now));
    }
  }

  private void replay(
      Transaction tx,
      ChatWriter chats,
      PendingApproval pending,
      WorkerPlans plans,
      CommitEffects effects) {
    Optional<RoutedMessage> stored = chats.message(pending.original().ref());
    stored.ifPresent(message -> intake.routeAgain(tx, message, plans, effects));
  }

  /** The sender sees that the message was not given to anybody. */
  private void tellTurnedDown(
      ChatWriter chats, PendingApproval pending, CommitEffects effects, Instant now) {
    OutboxWriter outbox = new OutboxWriter(chats, context.ids(), now);
    ApprovalRequests.react(outbox, pending.original(), MessageStatus.NOT_DELIVERED);
    effects.channels.addAll(outbox.channels());
  }

  private void close(
      ChatWriter chats, DecidedApproval decided, CommitEffects effects, Instant now) {
    chats.decide(decided);
    OutboxWriter outbox = new OutboxWriter(chats, context.ids(), now);
    for (var card : chats.cardsOf(decided.id())) {
      outbox.closeCard(card, decided.result() + " (" + decided.by() + ")");
    }
    effects.channels.addAll(outbox.channels());
  }

  /** Sets the timers of all pending requests, when the hub starts. */
  void armAll() {
    settle("Midcourse");
    context.ledger().read(r -> r.chats().approvals()).forEach(this::arm);
  }

  void arm(PendingApproval pending) {
    context.timers().at(timer(pending.id()), pending.expiresAt(), () -> expire(pending.id()));
  }

  private void expire(ApprovalId id) {
    CommitEffects effects = new CommitEffects();
    context
        .ledger()
        .write(
            Priority.NORMAL,
            tx -> {
              ChatWriter chats = tx.chats();
              Instant now = context.now();
              Optional<PendingApproval> due =
                  chats.approval(id).filter(it -> !it.expiresAt().isAfter(now));
              due.ifPresent(pending -> {
                String expired = context.texts().of(ChatText.EXPIRED);
                close(chats, new DecidedApproval(id, expired, "Midcourse", now), effects, now);
                tellTurnedDown(chats, pending, effects, now);
              });
              return due;
            },
            due -> {
              intake.after(effects);
              return due;
            });
  }

  private static String timer(ApprovalId id) {
    return "approval:" + id;
  }

  private static void require(Caller caller, Action action) {
    Authority.objection(caller, action)
        .ifPresent(problem -> {
          throw problem.refused();
        });
  }

  private static String names(List<WorkerName> workers) {
    return String.join(", ", workers.stream().map(WorkerName::value).toList());
  }

  private static RuntimeException notFound(ApprovalId id) {
    return Problem.of(
            Code.NOT_FOUND, "approval_id", "a pending request", "there is no request " + id)
        .refused();
  }
}
