package dev.midcourse.core.chat.route;

import dev.midcourse.core.chat.ChannelName;
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
import dev.midcourse.core.chat.person.PersonId;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.person.RoleGrant;
import dev.midcourse.core.chat.route.OriginalMessage.BecameSteer;
import dev.midcourse.core.chat.route.OriginalMessage.QueuedRun;
import dev.midcourse.core.chat.route.ReplyTarget.RepliedRun;
import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A message and its context, made from words, and a decision as words. So a table of decisions can
 * be read line by line. The words are explained in {@code decisions.txt}.
 */
final class RoutingFixture {
  static final Instant NOW = Instant.parse("2026-11-18T09:00:00Z");
  private static final ChannelName CHANNEL = ChannelName.of("telegram");
  private static final ChatId CHAT = ChatId.of("chat");
  private static final SteerId STEER = SteerId.of("00000000-0000-0000-0000-000000000001");

  private final List<String> words;

  private RoutingFixture(List<String> words) {
    this.words = words;
  }

  static RoutingFixture of(List<String> words) {
    return new RoutingFixture(words);
  }

  /** Decides about the text in the situation that the words describe. */
  static String decide(String words, String text) {
    RoutingFixture fixture = of(Arrays.asList(words.strip().split("\\s+")));
    return shown(Routing.decide(fixture.message(text), fixture.context()));
  }

  static String shown(RoutingDecision decision) {
    return decision.actions().stream().map(RoutingFixture::shown).collect(Collectors.joining(", "));
  }

  private static String shown(RoutingAction action) {
    return switch (action) {
      case RoutingAction.Drop it -> "drop " + it.reason().wire();
      case RoutingAction.RequestChannelApproval it ->
          it.replacesStored() ? "ask-chat again" : "ask-chat";
      case RoutingAction.WireChat it -> "wire " + it.worker() + " " + it.engagement().mode().wire();
      case RoutingAction.RequestSenderApproval _ -> "ask-sender";
      case RoutingAction.StartRun it ->
          "start " + it.conversation().worker() + (it.fresh() ? " fresh" : "");
      case RoutingAction.ContinueRun it ->
          "continue " + it.conversation().worker() + " " + it.finished();
      case RoutingAction.Debounce it -> "debounce " + it.conversation().worker();
      case RoutingAction.CancelDebounce it -> "cancel-debounce " + it.conversation().worker();
      case RoutingAction.Collect it -> "collect " + it.run() + " #" + it.position();
      case RoutingAction.SteerRun it -> it.mode().wire() + " " + it.run() + " #" + it.position();
      case RoutingAction.StopRun it -> "stop " + it.run();
      case RoutingAction.EditSteer it -> "edit " + it.run();
      case RoutingAction.WithdrawSteer it -> "withdraw " + it.run();
      case RoutingAction.ChangeWaiting it -> it.deleted() ? "forget-waiting" : "edit-waiting";
      case RoutingAction.Accumulate it -> "accumulate " + it.conversation().worker();
      case RoutingAction.SetSticky it -> it.sticky() ? "sticky" : "unsticky";
      case RoutingAction.RunCommand it -> "command " + it.command().name().word();
      case RoutingAction.ChooseButton it -> "choose " + it.button();
      case RoutingAction.DirectLoops it ->
          "loops of " + it.workers() + ": " + it.order().replace('\n', '|');
      case RoutingAction.Tell it -> "tell " + it.reason().wire();
      case RoutingAction.Unknown it -> "unknown " + it.kind();
    };
  }

  InboundMessage message(String text) {
    InboundKind kind =
        has("edit") ? InboundKind.EDIT : has("delete") ? InboundKind.DELETION : InboundKind.MESSAGE;
    SenderKind sender =
        has("self") ? SenderKind.SELF : has("bot") ? SenderKind.BOT : SenderKind.PERSON;
    Optional<Identity> identity =
        has("hidden") ? Optional.empty() : Optional.of(Identity.of("telegram:42"));
    String bare = text.replace("@mc", "").strip();
    return new InboundMessage(
        new MessageRef(CHANNEL, "7", "100"),
        value("thread"),
        "update-1",
        kind,
        new Sender(identity, "Ann", sender),
        new ChatFacts(kind(), has("threads"), Optional.empty()),
        text,
        bare,
        kind() == ChatKind.DIRECT || text.contains("@mc"),
        Optional.empty(),
        List.of(),
        NOW);
  }

  RoutingContext context() {
    List<WiringContext> wirings = new ArrayList<>();
    for (String worker : has("unwired") ? List.<String>of() : workers("wired", List.of("a"))) {
      wirings.add(wiring(worker));
    }
    return new RoutingContext(
        has("seen"),
        has("unknown-chat") ? Optional.empty() : Optional.of(chat()),
        has("unknown-chat") ? List.of() : wirings,
        sender(),
        workers("workers", List.of("a")).stream().map(WorkerName::of).toList(),
        has("sender-pending"),
        has("chat-pending"),
        replyTarget(),
        original(),
        new StopWords(Set.of("halt")),
        has("limit-reached")
            ? SenderPace.LIMIT_REACHED
            : has("paused") ? SenderPace.PAUSED : SenderPace.NORMAL,
        value("choice"));
  }

  private Chat chat() {
    UnknownSenderPolicy policy =
        value("policy")
            .map(UnknownSenderPolicy::parse)
            .orElse(UnknownSenderPolicy.REQUEST_APPROVAL);
    return new Chat(CHAT, CHANNEL, "7", Optional.empty(), kind(), has("threads"), policy, NOW);
  }

  private WiringContext wiring(String worker) {
    Engagement engagement =
        value("mode")
            .map(EngageMode::parse)
            .map(mode -> new Engagement(mode, Optional.empty()))
            .or(() ->
                value("pattern")
                    .map(p -> new Engagement(EngageMode.PATTERN, Optional.of(EngagePattern.of(p)))))
            .orElse(Engagement.defaultFor(kind(), has("threads")));
    Wiring wiring =
        new Wiring(
            WiringId.of("w-" + worker),
            CHAT,
            WorkerName.of(worker),
            engagement,
            has("known-only") ? SenderScope.KNOWN : SenderScope.ALL,
            has("accumulate") ? IgnoredMessagePolicy.ACCUMULATE : IgnoredMessagePolicy.DROP,
            has("threads") ? SessionMode.PER_THREAD : SessionMode.SHARED,
            0,
            value("on").map(LiveRunPolicy::parse).orElse(LiveRunPolicy.STEER),
            has("debounce") ? Duration.ofSeconds(3) : Duration.ZERO,
            NOW);
    return new WiringContext(wiring, live(worker), has("sticky"), has("debouncing"));
  }

  private Optional<LiveRun> live(String worker) {
    int waiting = value("waiting").map(Integer::parseInt).orElse(0);
    return workers("live", List.of()).contains(worker)
        ? Optional.of(new LiveRun(RunId.of("run-" + worker), value("thread"), waiting, has("idle")))
        : Optional.empty();
  }

  private SenderContext sender() {
    PersonId person = PersonId.of("ann");
    List<RoleGrant> roles = new ArrayList<>();
    for (PersonRole role : PersonRole.values()) {
      if (has(role.wire())) {
        Optional<WorkerName> all =
            role == PersonRole.MEMBER ? Optional.of(WorkerName.of("a")) : Optional.empty();
        roles.add(new RoleGrant(person, role, all, Optional.empty(), NOW));
      }
      value(role.wire())
          .ifPresent(worker ->
              roles.add(
                  new RoleGrant(
                      person, role, Optional.of(WorkerName.of(worker)), Optional.empty(), NOW)));
    }
    return roles.isEmpty() ? SenderContext.UNKNOWN : new SenderContext(Optional.of(person), roles);
  }

  private ReplyTarget replyTarget() {
    if (has("reply-unknown")) {
      return new ReplyTarget.Unknown();
    }
    if (has("reply-loop") || has("reply-loop-review")) {
      return new ReplyTarget.OfLoop(
          LoopId.of("fix-1"), WorkerName.of("a"), has("reply-loop-review"));
    }
    Optional<String> live = value("reply-live");
    Optional<String> ended = value("reply-ended");
    if (live.isEmpty() && ended.isEmpty()) {
      return new ReplyTarget.None();
    }
    String worker = live.or(() -> ended).orElseThrow();
    RunId run = RunId.of(live.isPresent() ? "run-" + worker : "old-" + worker);
    return new ReplyTarget.OfRuns(List.of(new RepliedRun(run, key(worker), live(worker))));
  }

  private Optional<OriginalMessage> original() {
    if (!has("of-own") && !has("of-other") && !has("of-hidden")) {
      return Optional.empty();
    }
    Optional<Identity> author =
        has("of-hidden")
            ? Optional.empty()
            : Optional.of(Identity.of(has("of-own") ? "telegram:42" : "telegram:43"));
    RunId run = RunId.of("run-a");
    List<BecameSteer> steers =
        has("steer-open") || has("steer-taken")
            ? List.of(new BecameSteer(run, STEER, has("steer-open")))
            : List.of();
    List<QueuedRun> queued = has("run-queued") ? List.of(new QueuedRun(key("a"), run)) : List.of();
    List<ConversationKey> waiting = has("waits") ? List.of(key("a")) : List.of();
    return Optional.of(new OriginalMessage(5, author, steers, queued, waiting));
  }

  private ConversationKey key(String worker) {
    return new ConversationKey(
        WorkerName.of(worker),
        Optional.of(CHAT),
        has("threads") ? value("thread") : Optional.empty());
  }

  private ChatKind kind() {
    return has("group") ? ChatKind.GROUP : ChatKind.DIRECT;
  }

  private boolean has(String word) {
    return words.contains(word);
  }

  private Optional<String> value(String name) {
    return words.stream()
        .filter(word -> word.startsWith(name + "="))
        .map(word -> word.substring(name.length() + 1))
        .findFirst();
  }

  private List<String> workers(String name, List<String> otherwise) {
    return value(name).map(list -> List.of(list.split(","))).orElse(otherwise);
  }
}
