package dev.midcourse.engine.conversation;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.Conversation;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.SenderScope;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.link.LinkCode;
import dev.midcourse.core.chat.link.LinkRedemption;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.ChatCommand;
import dev.midcourse.core.chat.route.ChatCommandName;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.time.LocalTimeFormat;
import dev.midcourse.core.time.TimeZones;
import dev.midcourse.core.watch.Progress;
import dev.midcourse.engine.conversation.context.ChatText;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.outbox.OutboxWriter;
import dev.midcourse.ledger.Transaction;
import dev.midcourse.ledger.chat.ChatWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Answers the commands of a chat that need no agent, in the transaction that stores the message.
 * {@code /approve}, {@code /deny}, and {@code /withdraw} of a steer, are carried out before it
 * ({@link LateCommands}), because a supervisor or another transaction takes part.
 */
final class ChatCommandHandler {
  private static final int MAX_LISTED = 10;

  private final ConversationContext context;
  private final Transaction tx;
  private final ChatWriter chats;
  private final OutboxWriter outbox;
  private final InboundMessage message;
  private final Instant now;

  ChatCommandHandler(
      ConversationContext context,
      Transaction tx,
      OutboxWriter outbox,
      RoutedMessage stored,
      Instant now) {
    this.context = context;
    this.tx = tx;
    this.chats = tx.chats();
    this.outbox = outbox;
    this.message = stored.message();
    this.now = now;
  }

  void handle(ChatCommand command) {
    switch (command.name()) {
      case STATUS -> answer(status());
      case STEERS -> answer(steers());
      case QUEUE -> answer(queue());
      case HELP -> answer(help());
      case LINK -> answer(link(command.argument()));
      case TIMEZONE -> answer(timezone(command.argument()));
      case REMOTE_CONTROL -> answer(remoteControl());
      case MUTE -> answer("I answer here only when somebody mentions me.");
      case NEW ->
          answer(
              command.argument().isEmpty()
                  ? "Send /new and the task, to begin a new session with it."
                  : noNewSession());
      case LATER, INTERRUPT -> answer("Send " + command.name().word() + " and the message.");
      case STOP -> answer(context.texts().of(ChatText.NOTHING_TO_STOP));
      case WITHDRAW -> withdrawCollected();
      case APPROVE, DENY, AUTOPILOT -> {} // carried out before, by LateCommands
    }
  }

  private String noNewSession() {
    return liveRuns().stream().allMatch(run -> run.idle().isPresent())
        ? "The agent of the last task still waits for more here. End it with /stop, then send /new"
            + " and the task."
        : "A task is running here. Stop it first with /stop, or queue this with /later.";
  }

  private void answer(String text) {
    outbox.text(
        MessageActions.addressOf(message),
        text,
        Optional.of(message.ref().message()),
        Optional.empty());
  }

  // Runs

  /**
   * The conversations of this chat and thread with the workers to which the sender may talk, in the
   * order of their wirings.
   */
  private List<Conversation> conversations() {
    Optional<Chat> chat = chats.chat(message.ref().channel(), message.ref().chat());
    if (chat.isEmpty()) {
      return List.of();
    }
    List<RoleGrant> roles = roles();
    boolean isPublic = chat.get().unknownSenders() == UnknownSenderPolicy.PUBLIC;
    return chats.wirings(chat.get().id()).stream()
        .filter(wiring ->
            (isPublic && wiring.senderScope() == SenderScope.ALL)
                || roles.stream().anyMatch(grant -> grant.covers(wiring.worker())))
        .flatMap(
            wiring -> chats.conversation(ConversationKey.of(wiring, message.thread())).stream())
        .toList();
  }

  private List<RoleGrant> roles() {
    return message
        .sender()
        .identity()
        .flatMap(chats::personOf)
        .map(person -> chats.roles(person.id()))
        .orElse(List.of());
  }

  private List<Run> liveRuns() {
    return conversations().stream()
        .flatMap(conversation -> conversation.newestRun().flatMap(tx::run).stream())
        .filter(run -> run.state().live())
        .toList();
  }

  private String status() {
    List<String> lines = new ArrayList<>();
    for (Conversation conversation : conversations()) {
      Optional<Run> newest = conversation.newestRun().flatMap(tx::run);
      lines.add(
          newest
              .map(run -> status(run, chats.debounced(conversation.id()).size()))
              .orElse(conversation.key().worker() + " has no task yet"));
    }
    return lines.isEmpty() ? "No worker has a task here." : String.join("\n", lines);
  }

  private String status(Run run, int collected) {
    String progress =
        run.progress()
            .map(Progress::summary)
            .filter(it -> !it.isBlank())
            .map(it -> ": " + it)
            .orElse("");
    String waiting = waiting(tx.countOpenSteers(run.id()) + collected);
    return switch (run.state()) {
      case QUEUED -> run.id() + " waits, position " + (tx.placeInQueue(run) + 1) + waiting;
      case RUNNING -> run.id() + " is running" + progress + waiting;
      case DONE, REVIEW_REQUESTED, FAILED, FAILED_CONTRACT, FAILED_TIMEOUT, STOPPED ->
          run.id() + " " + ended(run.state()) + at(run);
    };
  }

  private static String ended(RunState state) {
    return state == RunState.DONE ? "is done" : "ended: " + state.wire();
  }

  private String at(Run run) {
    return run.endedAt().map(at -> " at " + LocalTimeFormat.formatLocalTime(at, zone())).orElse("");
  }

  private static String waiting(int open) {
    return open == 0 ? "" : ", " + open + (open == 1 ? " message waits" : " messages wait");
  }

  private String steers() {
    List<String> lines = new ArrayList<>();
    for (Run run : liveRuns()) {
      for (Steer steer : tx.steers(run.id()).reversed()) {
        if (lines.size() < MAX_LISTED) {
          Receipt receipt = Receipt.of(steer);
          lines.add(
              steer.id().shortened()
                  + " "
                  + receipt.ended().map(end -> end.wire()).orElse(receipt.rung().wire())
                  + ": "
                  + excerpt(steer));
        }
      }
    }
    return lines.isEmpty() ? "The running task has no messages." : String.join("\n", lines);
  }

  private String queue() {
    List<String> lines = new ArrayList<>();
    for (Conversation conversation : conversations()) {
      Optional<Run> live =
          conversation.newestRun().flatMap(tx::run).filter(run -> run.state().live());
      int place = 0;
      for (Steer steer : live.map(run -> tx.openSteers(run.id())).orElse(List.of())) {
        place++;
        lines.add(place + ". " + excerpt(steer) + " (after " + live.get().id() + ")");
      }
      String together = live.map(run -> " (together after " + run.id() + ")").orElse(" (together)");
      for (RoutedMessage waiting : chats.debounced(conversation.id())) {
        place++;
        lines.add(place + ". " + Progress.line(waiting.message().text()) + together);
      }
    }
    return lines.isEmpty() ? "Nothing waits." : String.join("\n", lines);
  }

  /** LateCommands takes back what is a steer already. */
  private void withdrawCollected() {
    Optional<LateCommands.Collected> own = LateCommands.ownCollected(tx, message);
    if (own.isEmpty()) {
      return;
    }
    InboundMessage taken = own.get().message().message();
    chats.takeContext(own.get().conversation(), List.of(own.get().message().number()));
    outbox.reaction(
        MessageActions.addressOf(taken),
        taken.ref().message(),
        MessageStatus.STOPPED,
        Optional.empty(),
        Optional.empty());
    answer(LateCommands.WITHDRAWN);
  }

  /** The words of the person, without the form in which the agent reads them. */
  private String excerpt(Steer steer) {
    List<String> texts =
        chats.messagesOf(steer.id()).stream()
            .flatMap(ref -> chats.message(ref).stream())
            .map(stored -> stored.message().text())
            .toList();
    return Progress.line(texts.isEmpty() ? steer.text().value() : String.join(" / ", texts));
  }

  private String remoteControl() {
    boolean owner = roles().stream().anyMatch(grant -> grant.role() == PersonRole.OWNER);
    if (!owner) {
      return "Only an owner gets a link to the page, because it opens everything.";
    }
    if (message.chat().kind() != ChatKind.DIRECT) {
      return "Ask for the link in a direct message; others could use it here.";
    }
    Optional<Run> run = liveRuns().stream().findFirst();
    if (run.isEmpty()) {
      return "No task is running here.";
    }
    return context
        .links()
        .oneTimeLink(run.get().id())
        .map(link -> "This link works once, for one minute: " + link)
        .orElse("The page of this hub cannot be reached by a link.");
  }

  private static String help() {
    return Arrays.stream(ChatCommandName.values())
        .map(name -> name.word() + ": " + help(name))
        .collect(
            Collectors.joining("\n", "A reply to a running task steers it; stop ends it.\n", ""));
  }

  private static String help(ChatCommandName name) {
    return switch (name) {
      case STOP -> "stop the running task";
      case STATUS -> "what is running here";
      case NEW -> "begin a new session with the text after it";
      case LATER -> "give the text after it to the agent when its task is done";
      case INTERRUPT -> "break off what the agent does and give it the text after it";
      case STEERS -> "what became of your messages";
      case WITHDRAW -> "take your last waiting message back, or the one you reply to";
      case QUEUE -> "which messages wait";
      case MUTE -> "answer in this thread only when mentioned";
      case APPROVE ->
          "let a sender or a chat in: /approve ID, /approve ID WORKER, /approve ID new NAME";
      case DENY -> "turn a request down: /deny ID";
      case LINK -> "link this account to a person: /link CODE";
      case TIMEZONE -> "set your time zone: /timezone Europe/Berlin";
      case REMOTE_CONTROL -> "a link to the page of the running task";
      case AUTOPILOT -> "implement, review and fix until clean; /autopilot alone lists its orders";
      case HELP -> "this list";
    };
  }

  // People

  private String link(String code) {
    if (message.sender().identity().isEmpty()) {
      return "Your platform hides who you are, so this account cannot be linked.";
    }
    if (code.isEmpty()) {
      return "Send /link and the code. midcourse people prints one.";
    }
    Identity identity = message.sender().identity().get();
    return switch (LinkRedemption.redeem(chats.linkCodes(), code, now)) {
      case LinkRedemption.Linked(var person, LinkCode used) -> {
        chats.deleteLinkCode(used);
        chats.put(new LinkedIdentity(identity, person, message.sender().name(), now));
        MessageIntake.rememberDirectChat(chats, message);
        yield "This account is linked to "
            + chats.person(person).map(Person::name).orElse("you")
            + ".";
      }
      case LinkRedemption.Wrong(List<LinkCode> changed) -> {
        changed.forEach(chats::put);
        yield "This code is wrong, used or expired.";
      }
    };
  }

  private String timezone(String name) {
    Optional<Person> person = message.sender().identity().flatMap(chats::personOf);
    if (person.isEmpty()) {
      return "Only a person who was let in has a time zone.";
    }
    if (name.isEmpty()) {
      return "Your time zone is " + zone() + ". Change it with /timezone Europe/Berlin.";
    }
    try {
      ZoneId zone = TimeZones.parse("timezone", name);
      Person old = person.get();
      chats.put(new Person(old.id(), old.name(), Optional.of(zone), old.createdAt()));
      return "Your time zone is "
          + zone
          + "; it is "
          + LocalTimeFormat.formatLocalTime(now, zone)
          + " there.";
    } catch (RefusedException refused) {
      return refused.description();
    }
  }

  private ZoneId zone() {
    return context.zoneOf(chats, message.sender());
  }
}
