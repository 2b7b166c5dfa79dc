package dev.midcourse.proof.bench.chat;

import dev.midcourse.channels.terminal.TerminalChannel;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.ConversationKey;
import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.Engagement;
import dev.midcourse.core.chat.IgnoredMessagePolicy;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.SenderScope;
import dev.midcourse.core.chat.SessionMode;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.LiveRun;
import dev.midcourse.core.chat.route.ReplyTarget;
import dev.midcourse.core.chat.route.ReplyTarget.RepliedRun;
import dev.midcourse.core.chat.route.Routing;
import dev.midcourse.core.chat.route.RoutingContext;
import dev.midcourse.core.chat.route.RoutingDecision;
import dev.midcourse.core.chat.route.SenderContext;
import dev.midcourse.core.chat.route.SenderPace;
import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.chat.route.WiringContext;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.engine.context.EngineSettings;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.chat.ChatWriter;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * People in chats of the terminal channel, each alone with Midcourse. A chat has three wirings: one
 * engages with every message, two with words that nobody writes. Past messages are spread over all
 * chats.
 */
final class StoredChats {
  static final int PEOPLE = 1_000;
  static final int WIRINGS_OF_A_CHAT = 3;
  static final int MANY_WIRINGS = 10_000;
  static final int MANY_MESSAGES = 1_000_000;

  private static final int AT_ONCE = 5_000;
  private static final Duration AGE = Duration.ofDays(30);
  private static final String TEXT =
      "please use the other library, not this one, and say what changes for its users";

  private StoredChats() {}

  /** Stores people with their chats and wirings in the ledger of a data folder. */
  static void fill(Path folder) {
    try (Ledger ledger = open(folder)) {
      fillPeople(ledger);
    }
  }

  /** Stores the same, and many past messages and wirings. */
  static void fillMany(Path folder) {
    try (Ledger ledger = open(folder)) {
      fillPeople(ledger);
      int more = MANY_WIRINGS - PEOPLE * WIRINGS_OF_A_CHAT;
      inBatches(
          ledger,
          more / 2,
          (chats, i) -> {
            Chat chat = chat("other-" + i);
            chats.put(chat);
            wirings(chat).subList(0, 2).forEach(chats::put);
          });
      RoutingDecision decision = Routing.decide(message(0, 0), context());
      inBatches(
          ledger,
          MANY_MESSAGES,
          (chats, i) -> {
            int person = i % PEOPLE;
            chats.store(
                message(person, i),
                Optional.of(chatId(platformId(person))),
                begin().plusSeconds(2L * i),
                decision);
          });
    }
  }

  private static Instant begin() {
    return Instant.now().minus(AGE);
  }

  private static Ledger open(Path folder) {
    return SqliteLedger.open(folder.resolve("midcourse.db"));
  }

  private static void fillPeople(Ledger ledger) {
    inBatches(
        ledger,
        PEOPLE,
        (chats, i) -> {
          PersonId person = PersonId.of(handle(i));
          chats.put(new Person(person, handle(i), Optional.empty(), begin()));
          chats.put(new LinkedIdentity(identity(i), person, handle(i), begin()));
          chats.put(grant(person));
          chats.putDirectChat(identity(i), platformId(i));
          Chat chat = chat(platformId(i));
          chats.put(chat);
          wirings(chat).forEach(chats::put);
        });
  }

  private interface Step {
    void write(ChatWriter chats, int number);
  }

  private static void inBatches(Ledger ledger, int count, Step step) {
    for (int from = 0; from < count; from += AT_ONCE) {
      int first = from;
      int end = Math.min(count, first + AT_ONCE);
      ledger.write(tx -> {
        ChatWriter chats = tx.chats();
        for (int i = first; i < end; i++) {
          step.write(chats, i);
        }
        return end;
      });
    }
  }

  /** The name of a person in the terminal channel. */
  static String handle(int person) {
    return "person-" + person;
  }

  /** The id of the chat of a person in the terminal channel. */
  static String platformId(int person) {
    return "user:" + handle(person);
  }

  /** The conversation of a person with the worker that engages. */
  static ConversationKey conversation(int person) {
    return new ConversationKey(
        EngineSettings.ANY_WORKER, Optional.of(chatId(platformId(person))), Optional.empty());
  }

  private static Identity identity(int person) {
    return new Identity(TerminalChannel.NAME, handle(person));
  }

  private static ChatId chatId(String platformId) {
    return ChatId.of(platformId.replace(':', '-'));
  }

  private static RoleGrant grant(PersonId person) {
    return new RoleGrant(
        person,
        PersonRole.MEMBER,
        Optional.of(EngineSettings.ANY_WORKER),
        Optional.empty(),
        begin());
  }

  private static Chat chat(String platformId) {
    return new Chat(
        chatId(platformId),
        TerminalChannel.NAME,
        platformId,
        Optional.of(platformId),
        ChatKind.DIRECT,
        false,
        UnknownSenderPolicy.REQUEST_APPROVAL,
        begin());
  }

  private static List<Wiring> wirings(Chat chat) {
    return List.of(
        wiring(chat, EngineSettings.ANY_WORKER, Engagement.always()),
        wiring(chat, WorkerName.of("releases"), onWord("(?i)\\brelease \\d+\\b")),
        wiring(chat, WorkerName.of("alarms"), onWord("^ALARM[: ]")));
  }

  private static Engagement onWord(String pattern) {
    return new Engagement(EngageMode.PATTERN, Optional.of(EngagePattern.of(pattern)));
  }

  private static Wiring wiring(Chat chat, WorkerName worker, Engagement engagement) {
    return new Wiring(
        WiringId.of(chat.id() + "-" + worker),
        chat.id(),
        worker,
        engagement,
        SenderScope.ALL,
        IgnoredMessagePolicy.DROP,
        SessionMode.SHARED,
        0,
        LiveRunPolicy.STEER,
        Duration.ZERO,
        begin());
  }

  /** A message of a person. */
  static InboundMessage message(int person, int number) {
    return new InboundMessage(
        new MessageRef(TerminalChannel.NAME, platformId(person), "past-" + number),
        Optional.empty(),
        "message:past-" + number,
        InboundKind.MESSAGE,
        new Sender(Optional.of(identity(person)), handle(person), SenderKind.PERSON),
        new ChatFacts(ChatKind.DIRECT, false, Optional.of(handle(person))),
        TEXT,
        TEXT,
        true,
        Optional.empty(),
        List.of(),
        begin().plusSeconds(2L * number));
  }

  /** What the decision about a reply depends on while the run of its conversation is live. */
  static RoutingContext context() {
    Chat chat = chat(platformId(0));
    RunId run = RunId.of("past-run");
    Optional<LiveRun> live = Optional.of(new LiveRun(run, Optional.empty(), 1, false));
    List<WiringContext> wired = new ArrayList<>();
    for (Wiring wiring : wirings(chat)) {
      boolean engages = wiring.worker().equals(EngineSettings.ANY_WORKER);
      wired.add(new WiringContext(wiring, engages ? live : Optional.empty(), false, false));
    }
    PersonId person = PersonId.of(handle(0));
    return new RoutingContext(
        false,
        Optional.of(chat),
        wired,
        new SenderContext(Optional.of(person), List.of(grant(person))),
        List.of(EngineSettings.ANY_WORKER),
        false,
        false,
        new ReplyTarget.OfRuns(List.of(new RepliedRun(run, conversation(0), live))),
        Optional.empty(),
        StopWords.always(),
        SenderPace.NORMAL,
        Optional.empty());
  }
}
