package dev.midcourse.hub.api.chat;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.approval.PendingApproval;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.question.ChatQuestion;
import dev.midcourse.core.chat.route.GateResult;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.ledger.json.ContentCodec;
import dev.midcourse.ledger.json.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The results of the routes about people and chats. */
public final class ChatViews {
  private ChatViews() {}

  public record People(List<OnePerson> people) {}

  /** A person with accounts and roles. */
  public record OnePerson(
      String personId,
      String name,
      Optional<String> zone,
      List<OneIdentity> identities,
      List<OneRole> roles,
      Instant createdAt) {
    static OnePerson of(Person person, List<LinkedIdentity> identities, List<RoleGrant> roles) {
      return new OnePerson(
          person.id().value(),
          person.name(),
          person.zone().map(Object::toString),
          identities.stream().map(OneIdentity::of).toList(),
          roles.stream().map(OneRole::of).toList(),
          person.createdAt());
    }
  }

  /** An account of a person. */
  public record OneIdentity(String identity, String displayName, Instant linkedAt) {
    static OneIdentity of(LinkedIdentity linked) {
      return new OneIdentity(linked.identity().toString(), linked.displayName(), linked.linkedAt());
    }
  }

  /**
   * A role.
   *
   * @param worker absent for all workers
   * @param grantedBy the person who granted it; absent for the command line
   */
  public record OneRole(
      String role, Optional<String> worker, Optional<String> grantedBy, Instant grantedAt) {
    static OneRole of(RoleGrant grant) {
      return new OneRole(
          grant.role().wire(),
          grant.worker().map(WorkerName::value),
          grant.grantedBy().map(PersonId::value),
          grant.grantedAt());
    }
  }

  /** A code that links an account; it is shown once and stored nowhere. */
  public record IssuedCode(
      String personId, String name, String code, String command, Instant expiresAt) {}

  /** Whether something was there to be deleted. */
  public record Deleted(boolean deleted) {}

  public record Chats(List<OneChat> chats) {}

  /** A chat with its wirings, the highest priority first. */
  public record OneChat(
      String chatId,
      String channel,
      String platformId,
      String title,
      Optional<String> name,
      String kind,
      boolean threads,
      String unknownSenderPolicy,
      List<OneWiring> wirings,
      Instant createdAt) {
    static OneChat of(Chat chat, List<Wiring> wirings) {
      return new OneChat(
          chat.id().value(),
          chat.channel().value(),
          chat.platformId(),
          chat.title(),
          chat.name(),
          chat.kind().wire(),
          chat.threads(),
          chat.unknownSenders().wire(),
          wirings.stream().map(wiring -> OneWiring.of(wiring, chat.title())).toList(),
          chat.createdAt());
    }
  }

  public record Wirings(List<OneWiring> wirings) {}

  /** A wiring, with the title of its chat. */
  public record OneWiring(
      String wiringId,
      String chatId,
      String chat,
      String worker,
      String engageMode,
      Optional<String> engagePattern,
      String senderScope,
      String ignoredMessagePolicy,
      String sessionMode,
      int priority,
      String onLiveRun,
      String debounce,
      Instant createdAt) {
    static OneWiring of(Wiring wiring, String title) {
      return new OneWiring(
          wiring.id().value(),
          wiring.chat().value(),
          title,
          wiring.worker().value(),
          wiring.engagement().mode().wire(),
          wiring.engagement().pattern().map(EngagePattern::text),
          wiring.senderScope().wire(),
          wiring.ignored().wire(),
          wiring.sessionMode().wire(),
          wiring.priority(),
          wiring.onLiveRun().wire(),
          describe(wiring.debounce()),
          wiring.createdAt());
    }
  }

  /** A duration as requests have it: 2s, 500ms. */
  private static String describe(Duration time) {
    return time.toMillisPart() == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  public record Conversations(List<OneConversation> conversations) {}

  /**
   * A conversation; without a chat it has all chats of its worker, without a thread all threads.
   */
  public record OneConversation(
      String conversationId,
      String worker,
      Optional<String> chatId,
      Optional<String> thread,
      Optional<RunId> newestRun,
      boolean sticky,
      Instant createdAt) {
    static OneConversation of(Conversation conversation) {
      return new OneConversation(
          conversation.id().value(),
          conversation.key().worker().value(),
          conversation.key().chat().map(Object::toString),
          conversation.key().thread(),
          conversation.newestRun(),
          conversation.sticky(),
          conversation.createdAt());
    }
  }

  /**
   * Messages of people, newest first.
   *
   * @param next the last number of the page, if there are more
   */
  public record Messages(List<OneMessage> messages, Optional<Long> next) {}

  /**
   * A message of a person with the decision about it.
   *
   * @param number the order in which messages were stored
   * @param messageId the id that the platform gave
   */
  public record OneMessage(
      long number,
      String channel,
      String platformChat,
      String messageId,
      Optional<String> thread,
      String kind,
      String sender,
      Optional<String> identity,
      String text,
      boolean mentioned,
      Instant sentAt,
      Instant receivedAt,
      List<OneGate> gates,
      List<OneAction> actions) {}

  /** A gate that the message passed or not, with the reason. */
  public record OneGate(String gate, boolean passed, Optional<String> worker, String reason) {
    static OneGate of(GateResult result) {
      return new OneGate(
          result.gate().wire(),
          result.passed(),
          result.worker().map(WorkerName::value),
          result.reason());
    }
  }

  /** What was decided: a word for programs and a sentence for people. */
  public record OneAction(String kind, String words) {}

  /**
   * Why a message had the effect that it had, and what became of it.
   *
   * @param runs the runs to which it belongs
   * @param steers the receipts of the steers that it has become
   * @param answers the messages of the outbox that belong to these runs, oldest first
   */
  public record Why(
      OneMessage message,
      Optional<OneChat> chat,
      List<RunView> runs,
      List<Receipt> steers,
      List<OneOutbound> answers,
      Optional<OneApproval> approval) {}

  /** The newest messages of a chat in both directions, each newest first. */
  public record ChatLog(
      OneChat chat, List<OneMessage> received, List<OneOutbound> sent, Optional<Long> next) {}

  public record Outbox(List<OneOutbound> outbox) {}

  /** A message to people. */
  public record OneOutbound(
      String outboundId,
      long number,
      String channel,
      String platformChat,
      Optional<String> thread,
      String kind,
      String text,
      String state,
      int tries,
      Optional<Instant> notBefore,
      Optional<String> platformId,
      Optional<RunId> runId,
      Optional<String> problem,
      Instant createdAt,
      Optional<Instant> sentAt) {
    static OneOutbound of(OutboundMessage message) {
      return new OneOutbound(
          message.id().value(),
          message.number(),
          message.to().channel().value(),
          message.to().chat(),
          message.to().thread(),
          ContentCodec.kindOf(message.content()),
          DecisionText.of(message.content()),
          message.state().wire(),
          message.tries(),
          message.notBefore(),
          message.platformId(),
          message.run(),
          message.problem(),
          message.createdAt(),
          message.sentAt());
    }
  }

  public record Approvals(List<OneApproval> approvals) {}

  /**
   * A request that waits for a decision.
   *
   * @param kind unknown_sender or unknown_chat
   * @param approver the person who got the card; absent if nobody could be reached
   * @param workers of an unknown sender: the workers of the chat; of an unknown chat: those that
   *     can be chosen
   * @param canCreate whether a new worker can be made from the template of the settings
   */
  public record OneApproval(
      String approvalId,
      String kind,
      String chatId,
      String chat,
      Optional<String> sender,
      String senderName,
      String text,
      Optional<String> approver,
      List<String> workers,
      boolean canCreate,
      Instant createdAt,
      Instant expiresAt) {
    static OneApproval of(
        PendingApproval approval,
        String title,
        Optional<String> approver,
        List<String> workers,
        boolean canCreate) {
      InboundMessage original = approval.original();
      return new OneApproval(
          approval.id().value(),
          switch (approval) {
            case PendingApproval.UnknownSender _ -> "unknown_sender";
            case PendingApproval.UnknownChat _ -> "unknown_chat";
          },
          approval.chat().value(),
          title,
          switch (approval) {
            case PendingApproval.UnknownSender asked -> Optional.of(asked.sender().toString());
            case PendingApproval.UnknownChat asked -> asked.sender().map(Identity::toString);
          },
          original.sender().name(),
          DecisionText.shortened(original.text()),
          approver,
          workers,
          canCreate,
          approval.createdAt(),
          approval.expiresAt());
    }
  }

  /** What became of a decision; false if somebody else had decided before. */
  public record Decided(String approvalId, boolean counted, String words) {}

  public record Questions(List<OneQuestion> questions) {}

  /** A question of an agent that waits for an answer in its chat. */
  public record OneQuestion(
      String questionId,
      RunId runId,
      String worker,
      String title,
      String question,
      List<String> options,
      Optional<String> asked,
      Instant askedAt,
      Instant expiresAt) {
    static OneQuestion of(ChatQuestion question) {
      return new OneQuestion(
          question.id().value(),
          question.run(),
          question.worker().value(),
          question.title(),
          question.question(),
          question.options().stream().map(option -> option.label()).toList(),
          question.asked().map(Identity::toString),
          question.askedAt(),
          question.expiresAt());
    }
  }
}
