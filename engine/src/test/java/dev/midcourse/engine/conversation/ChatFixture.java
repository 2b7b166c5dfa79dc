package dev.midcourse.engine.conversation;

import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatId;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.Wiring;
import dev.midcourse.core.chat.WiringId;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.inbound.ButtonClick;
import dev.midcourse.core.chat.inbound.ChatFacts;
import dev.midcourse.core.chat.inbound.InboundKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.inbound.MessageRef;
import dev.midcourse.core.chat.inbound.QuotedMessage;
import dev.midcourse.core.chat.inbound.Sender;
import dev.midcourse.core.chat.inbound.SenderKind;
import dev.midcourse.core.chat.outbound.OutboundContent.Card;
import dev.midcourse.core.chat.outbound.OutboundContent.MessageStatus;
import dev.midcourse.core.chat.outbound.OutboundContent.Reaction;
import dev.midcourse.core.chat.outbound.OutboundContent.Text;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.person.Identity;
import dev.midcourse.core.chat.person.LinkedIdentity;
import dev.midcourse.core.chat.person.Person;
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ManualClock;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.engine.conversation.attachment.AttachmentFetcher;
import dev.midcourse.engine.conversation.attachment.AttachmentSource;
import dev.midcourse.engine.conversation.context.ConversationContext;
import dev.midcourse.engine.conversation.context.ConversationSettings;
import dev.midcourse.engine.conversation.context.ConversationWorkers;
import dev.midcourse.engine.conversation.context.WorkerPlan;
import dev.midcourse.engine.timer.LocalTimers;
import dev.midcourse.ledger.RunQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Conversations over a real ledger and engine, with an agent whose every word the test speaks. The
 * channel is the test: it delivers messages and reads the outbox.
 */
final class ChatFixture implements AutoCloseable {
  static final ChannelName CHANNEL = ChannelName.of("test");
  static final WorkerName WORKER = WorkerName.of("a");
  private static final EnumSet<OutboundState> ANY_STATE = EnumSet.allOf(OutboundState.class);

  final ScriptedAgent agent = new ScriptedAgent();
  final ManualClock clock = new ManualClock();
  final EngineFixture engine;
  private final List<WorkerName> workers = new ArrayList<>(List.of(WORKER));
  private final Optional<Duration> linger;
  private final AtomicInteger workerLists = new AtomicInteger();
  private boolean template;
  private boolean broken;
  private final Path data;
  private LocalTimers timers;

  /** The platform from which files are fetched. */
  AttachmentSource files =
      (_, file, _, _) -> {
        throw new IOException("no file " + file.name());
      };

  /** The loops of the hub. */
  final ScriptedLoops loops = new ScriptedLoops();

  private ConversationService service;
  private int messages;

  ChatFixture(Path folder) {
    this(folder, Optional.empty());
  }

  /** With agents that stay so long after their turn. */
  ChatFixture(Path folder, Optional<Duration> linger) {
    this.linger = linger;
    this.data = folder;
    this.engine = new EngineFixture(folder, agent, clock, StallPolicy.DEFAULT);
    this.timers = new LocalTimers(clock);
    this.service = open();
  }

  private ConversationService open() {
    ConversationSettings defaults = ConversationSettings.defaults(ZoneId.of("Europe/Berlin"));
    ConversationSettings settings =
        new ConversationSettings(
            defaults.zone(),
            defaults.maxMessagesPerPrompt(),
            linger,
            defaults.approvalLifetime(),
            defaults.progress(),
            defaults.stopWords(),
            defaults.texts(),
            defaults.limits());
    ConversationService opened =
        new ConversationService(
            new ConversationContext(
                engine.engine().context(),
                engine.engine().runs(),
                engine.engine().steering(),
                new TestWorkers(),
                settings,
                timers,
                _ -> {},
                run -> Optional.of("http://hub/runs/" + run),
                new AttachmentFetcher(
                    (channel, file, target, max) -> files.fetch(channel, file, target, max),
                    engine.ledger,
                    engine.engine().steering(),
                    data),
                loops));
    opened.start();
    return opened;
  }

  /** As after a crash of the hub: everything but the ledger and the agent is made anew. */
  void restartHub() {
    service.close();
    timers.close();
    engine.restartHub();
    timers = new LocalTimers(clock);
    service = open();
  }

  ConversationService service() {
    return service;
  }

  void addWorker(String name) {
    workers.add(WorkerName.of(name));
  }

  /** How often all workers to which a chat can be wired were asked for. */
  int workerLists() {
    return workerLists.get();
  }

  void allowNewWorkers() {
    template = true;
  }

  /** Lets every question about a worker fail. */
  void breakWorkers(boolean now) {
    broken = now;
  }

  private final class TestWorkers implements ConversationWorkers {
    @Override
    public List<WorkerName> wireable() {
      workerLists.incrementAndGet();
      return List.copyOf(workers);
    }

    @Override
    public Optional<WorkerPlan> plan(WorkerName worker) {
      if (broken) {
        throw new IllegalStateException("the test broke the workers");
      }
      return Optional.of(
          new WorkerPlan(
              worker,
              AgentName.of("puppet"),
              Optional.empty(),
              PendingPolicy.ALL,
              RunSpec.DEFAULT_ATTEMPTS));
    }

    @Override
    public boolean hasTemplate() {
      return template;
    }

    @Override
    public WorkerName fromTemplate(String name) {
      return WorkerName.of("new-" + name);
    }
  }

  // People and chats

  /** A person with this handle in the test channel, who can be reached in a direct chat. */
  PersonId person(String handle, PersonRole role) {
    PersonId id = PersonId.of("p-" + handle);
    Identity identity = new Identity(CHANNEL, handle);
    Instant now = clock.instant();
    Optional<WorkerName> of = role == PersonRole.MEMBER ? Optional.of(WORKER) : Optional.empty();
    engine.ledger.write(tx -> {
      tx.chats().put(new Person(id, handle, Optional.empty(), now));
      tx.chats().put(new LinkedIdentity(identity, id, handle, now));
      tx.chats().put(new RoleGrant(id, role, of, Optional.empty(), now));
      tx.chats().putDirectChat(identity, "dm-" + handle);
      return id;
    });
    return id;
  }

  Chat chat(String platformId, ChatKind kind, boolean threads, WorkerName... wired) {
    Instant now = clock.instant();
    Chat chat =
        new Chat(
            ChatId.of("c-" + platformId),
            CHANNEL,
            platformId,
            Optional.of(platformId),
            kind,
            threads,
            UnknownSenderPolicy.REQUEST_APPROVAL,
            now);
    engine.ledger.write(tx -> {
      tx.chats().put(chat);
      for (WorkerName worker : wired) {
        tx.chats()
            .put(
                Wiring.withDefaults(
                    WiringId.of("w-" + platformId + "-" + worker), chat, worker, now));
      }
      return chat;
    });
    return chat;
  }

  /** Changes the one wiring of a chat. */
  void rewire(Chat chat, Function<Wiring, Wiring> change) {
    engine.ledger.write(tx -> {
      Wiring wiring = tx.chats().wirings(chat.id()).getFirst();
      tx.chats().put(change.apply(wiring));
      return wiring;
    });
  }

  // Messages

  /** A message that a test can change before it is sent. */
  final class Draft {
    private final String sender;
    private final String text;
    private String chat;
    private ChatKind kind = ChatKind.DIRECT;
    private boolean threads;
    private Optional<String> thread = Optional.empty();
    private boolean mentioned = true;
    private Optional<QuotedMessage> reply = Optional.empty();
    private InboundKind event = InboundKind.MESSAGE;
    private Optional<String> id = Optional.empty();
    private Optional<Identity> identity;
    private final List<Attachment> attached = new ArrayList<>();

    Draft(String sender, String text) {
      this.sender = sender;
      this.text = text;
      this.chat = "dm-" + sender;
      this.identity = Optional.of(new Identity(CHANNEL, sender));
    }

    Draft in(Chat where) {
      chat = where.platformId();
      kind = where.kind();
      threads = where.threads();
      mentioned = where.kind() == ChatKind.DIRECT;
      return this;
    }

    /** A chat that nobody has stored. */
    Draft inGroup(String platformId) {
      chat = platformId;
      kind = ChatKind.GROUP;
      return this;
    }

    Draft thread(String name) {
      thread = Optional.of(name);
      return this;
    }

    Draft mentioned() {
      mentioned = true;
      return this;
    }

    /** It addresses nobody. */
    Draft quietly() {
      mentioned = false;
      return this;
    }

    Draft replyTo(String message) {
      reply =
          Optional.of(new QuotedMessage(message, true, Optional.of("bot"), Optional.of("earlier")));
      return this;
    }

    Draft edits(String message) {
      event = InboundKind.EDIT;
      id = Optional.of(message);
      return this;
    }

    Draft deletes(String message) {
      event = InboundKind.DELETION;
      id = Optional.of(message);
      return this;
    }

    Draft hidden() {
      identity = Optional.empty();
      return this;
    }

    Draft with(String fileName, long bytes) {
      attached.add(
          new Attachment(fileName, "text/plain", bytes, "ref-" + fileName, Optional.empty()));
      return this;
    }

    InboundMessage message() {
      messages++;
      String number = id.orElse("m" + messages);
      return new InboundMessage(
          new MessageRef(CHANNEL, chat, number),
          thread,
          "u" + messages,
          event,
          new Sender(identity, sender, SenderKind.PERSON),
          new ChatFacts(kind, threads, Optional.of(chat)),
          text,
          text,
          mentioned,
          reply,
          attached,
          clock.instant());
    }

    /** Sends it; returns the id of the message in its chat. */
    String send() {
      InboundMessage message = message();
      service.receive(message);
      return message.ref().message();
    }
  }

  Draft says(String sender, String text) {
    return new Draft(sender, text);
  }

  String click(String handle, String label) {
    Card card =
        everSent().stream()
            .map(OutboundMessage::content)
            .filter(Card.class::isInstance)
            .map(Card.class::cast)
            .filter(it -> it.buttons().stream().anyMatch(b -> b.label().equals(label)))
            .findFirst()
            .orElseThrow();
    String button =
        card.buttons().stream()
            .filter(it -> it.label().equals(label))
            .findFirst()
            .orElseThrow()
            .id();
    messages++;
    return service.click(
        new ButtonClick(
            new MessageRef(CHANNEL, "dm-" + handle, "card"),
            "u" + messages,
            new Sender(Optional.of(new Identity(CHANNEL, handle)), handle, SenderKind.PERSON),
            button,
            clock.instant()));
  }

  // What came of it

  /** The messages of the outbox that are or would be sent, newest first. */
  List<OutboundMessage> outbox() {
    return everSent().stream().filter(it -> it.state() != OutboundState.SUPERSEDED).toList();
  }

  private List<OutboundMessage> everSent() {
    return engine.ledger.read(r -> r.chats().outbox(ANY_STATE, Optional.empty(), 500));
  }

  /** The texts to a chat, oldest first. */
  List<String> texts(String chat) {
    return outbox().reversed().stream()
        .filter(it -> it.to().chat().equals(chat) && it.rank() == OutboundMessage.RANK_ANSWER)
        .map(OutboundMessage::content)
        .filter(Text.class::isInstance)
        .map(content -> ((Text) content).markdown())
        .toList();
  }

  List<Card> cards(String chat) {
    return outbox().reversed().stream()
        .filter(it -> it.to().chat().equals(chat))
        .map(OutboundMessage::content)
        .filter(Card.class::isInstance)
        .map(Card.class::cast)
        .toList();
  }

  /** The reaction that a message has in the end. */
  Optional<Reaction> reaction(String message) {
    return outbox().stream()
        .map(OutboundMessage::content)
        .filter(Reaction.class::isInstance)
        .map(Reaction.class::cast)
        .filter(it -> it.message().equals(message))
        .findFirst();
  }

  void awaitReaction(String message, MessageStatus status) {
    await().until(() -> reaction(message).map(Reaction::status).equals(Optional.of(status)));
  }

  void awaitText(String chat, String text) {
    await().until(() -> texts(chat).contains(text));
  }

  RoutedMessage stored(String chat, String message) {
    return engine
        .ledger
        .read(r -> r.chats().message(new MessageRef(CHANNEL, chat, message)))
        .orElseThrow();
  }

  List<Run> runs() {
    return engine.ledger.read(r -> r.runs(RunQuery.newest(200))).reversed();
  }

  Run onlyRun() {
    List<Run> all = runs();
    if (all.size() != 1) {
      throw new AssertionError("expected one run, got " + all.stream().map(Run::id).toList());
    }
    return all.getFirst();
  }

  List<Steer> steers(RunId run) {
    return engine.ledger.read(r -> r.steers(run));
  }

  /** Waits until the agent has the prompt of the run, and begins its turn. */
  void begins(Run run) {
    agent.awaitMessage("prompt 1: " + run.spec().prompt());
    agent.begins(1);
    await().until(() -> engine.kinds(run.id()).contains("turn_started"));
  }

  @Override
  public void close() {
    service.close();
    timers.close();
    engine.close();
  }
}
