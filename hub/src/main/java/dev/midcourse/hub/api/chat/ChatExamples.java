package dev.midcourse.hub.api.chat;

import dev.midcourse.core.chat.EngageMode;
import dev.midcourse.core.chat.EngagePattern;
import dev.midcourse.core.chat.IgnoredMessagePolicy;
import dev.midcourse.core.chat.LiveRunPolicy;
import dev.midcourse.core.chat.SenderScope;
import dev.midcourse.core.chat.SessionMode;
import dev.midcourse.core.chat.UnknownSenderPolicy;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.hub.api.chat.ChatRequests.ChatChange;
import dev.midcourse.hub.api.chat.ChatRequests.Decision;
import dev.midcourse.hub.api.chat.ChatRequests.Link;
import dev.midcourse.hub.api.chat.ChatRequests.NewPerson;
import dev.midcourse.hub.api.chat.ChatRequests.NewWiring;
import dev.midcourse.hub.api.chat.ChatRequests.Pairing;
import dev.midcourse.hub.api.chat.ChatRequests.PersonChange;
import dev.midcourse.hub.api.chat.ChatRequests.RoleChange;
import dev.midcourse.hub.api.chat.ChatRequests.Verdict;
import dev.midcourse.hub.api.chat.ChatRequests.WiringChange;
import dev.midcourse.hub.api.json.Examples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One story told in examples: Ada owns the hub, and writes to andy in a group of her family. */
final class ChatExamples {
  private static final Instant AT = Instant.parse("2026-03-01T09:00:00Z");
  private static final WorkerName ANDY = WorkerName.of("andy");
  private static final RunId RUN = RunId.of("fix-the-flaky-test-k7fp");

  static final NewPerson NEW_PERSON = new NewPerson("Ada", Optional.of("Europe/London"));
  static final PersonChange PERSON_CHANGE =
      new PersonChange(Optional.of("Ada L."), Optional.of("Europe/Berlin"));
  static final Pairing PAIRING = new Pairing(Optional.of("Ada"));
  static final Link LINK = new Link("telegram:42", Optional.of("Ada"));
  static final RoleChange ROLE = new RoleChange(PersonRole.MEMBER, Optional.of(ANDY));

  static final ChatViews.OnePerson PERSON =
      new ChatViews.OnePerson(
          "ada",
          "Ada",
          Optional.of("Europe/London"),
          List.of(new ChatViews.OneIdentity("telegram:42", "Ada", AT)),
          List.of(new ChatViews.OneRole("owner", Optional.empty(), Optional.empty(), AT)),
          AT);

  static final ChatViews.People PEOPLE = new ChatViews.People(List.of(PERSON));

  static final ChatViews.IssuedCode CODE =
      new ChatViews.IssuedCode(
          "ada", "Ada", "k7fp2m9q", "/link k7fp2m9q", AT.plus(Duration.ofMinutes(10)));

  static final ChatChange CHAT_CHANGE =
      new ChatChange(Optional.of("Family"), Optional.of(UnknownSenderPolicy.STRICT));

  static final NewWiring NEW_WIRING =
      new NewWiring(
          "Family",
          ANDY,
          Optional.of(EngageMode.PATTERN),
          Optional.of(EngagePattern.of("(?i)^andy")),
          Optional.of(SenderScope.KNOWN),
          Optional.of(IgnoredMessagePolicy.ACCUMULATE),
          Optional.of(SessionMode.SHARED),
          Optional.of(1),
          Optional.of(LiveRunPolicy.STEER),
          Optional.of(Duration.ofSeconds(2)));

  static final WiringChange WIRING_CHANGE = NEW_WIRING.change();

  static final ChatViews.OneWiring WIRING =
      new ChatViews.OneWiring(
          "m4k7fp",
          "family",
          "Family",
          "andy",
          "pattern",
          Optional.of("(?i)^andy"),
          "known",
          "accumulate",
          "shared",
          1,
          "steer",
          "2s",
          AT);

  static final ChatViews.Wirings WIRINGS = new ChatViews.Wirings(List.of(WIRING));

  static final ChatViews.OneChat CHAT =
      new ChatViews.OneChat(
          "family",
          "telegram",
          "-100200",
          "Family",
          Optional.of("Family"),
          "group",
          false,
          "request_approval",
          List.of(WIRING),
          AT);

  static final ChatViews.Chats CHATS = new ChatViews.Chats(List.of(CHAT));

  static final ChatViews.Conversations CONVERSATIONS =
      new ChatViews.Conversations(
          List.of(
              new ChatViews.OneConversation(
                  "x3d9qk",
                  "andy",
                  Optional.of("family"),
                  Optional.empty(),
                  Optional.of(RUN),
                  false,
                  AT)));

  static final ChatViews.OneMessage MESSAGE =
      new ChatViews.OneMessage(
          17,
          "telegram",
          "-100200",
          "4711",
          Optional.empty(),
          "message",
          "Ada",
          Optional.of("telegram:42"),
          "andy, leave the lexer as it is",
          false,
          AT.plusSeconds(40),
          AT.plusSeconds(41),
          List.of(
              new ChatViews.OneGate("chat", true, Optional.empty(), "the chat has 1 worker"),
              new ChatViews.OneGate("engage", true, Optional.of("andy"), "the text matches")),
          List.of(new ChatViews.OneAction("steer_run", "Steered run fix-the-flaky-test-k7fp")));

  static final ChatViews.Messages MESSAGES =
      new ChatViews.Messages(List.of(MESSAGE), Optional.of(17L));

  static final ChatViews.OneOutbound OUTBOUND =
      new ChatViews.OneOutbound(
          "q9x3d7",
          31,
          "telegram",
          "-100200",
          Optional.empty(),
          "text",
          "The test waited for a clock; it is fixed.",
          "failed",
          5,
          Optional.empty(),
          Optional.empty(),
          Optional.of(RUN),
          Optional.of("the bot was removed from the chat"),
          AT.plusSeconds(90),
          Optional.empty());

  static final ChatViews.Outbox OUTBOX = new ChatViews.Outbox(List.of(OUTBOUND));

  static final ChatViews.ChatLog CHAT_LOG =
      new ChatViews.ChatLog(CHAT, List.of(MESSAGE), List.of(OUTBOUND), Optional.of(17L));

  static final ChatViews.OneApproval APPROVAL =
      new ChatViews.OneApproval(
          "p4",
          "unknown_sender",
          "family",
          "Family",
          Optional.of("telegram:99"),
          "Grace",
          "may I ask andy something?",
          Optional.of("Ada"),
          List.of("andy"),
          false,
          AT,
          AT.plus(Duration.ofDays(1)));

  static final ChatViews.Approvals APPROVALS = new ChatViews.Approvals(List.of(APPROVAL));
  static final Decision DECISION = new Decision(Verdict.WIRE, Optional.of(ANDY));
  static final ChatViews.Decided DECIDED =
      new ChatViews.Decided("p4", true, "Family is wired to andy");

  static final ChatViews.Questions QUESTIONS =
      new ChatViews.Questions(
          List.of(
              new ChatViews.OneQuestion(
                  "c7m2",
                  RUN,
                  "andy",
                  "Release",
                  "Which version?",
                  List.of("1.4", "2.0"),
                  Optional.of("telegram:42"),
                  AT,
                  AT.plus(Duration.ofHours(1)))));

  static final ChatViews.Why WHY =
      new ChatViews.Why(
          MESSAGE,
          Optional.of(CHAT),
          List.of(Examples.RUN),
          List.of(Examples.RECEIPT),
          List.of(OUTBOUND),
          Optional.of(APPROVAL));

  private ChatExamples() {}
}
