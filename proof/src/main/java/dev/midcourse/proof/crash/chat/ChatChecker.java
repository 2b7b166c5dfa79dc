package dev.midcourse.proof.crash.chat;

import dev.midcourse.agents.rehearsal.program.RehearsalEvent;
import dev.midcourse.agents.rehearsal.program.Transcript;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.chat.outbound.OutboundContent;
import dev.midcourse.core.chat.outbound.OutboundMessage;
import dev.midcourse.core.chat.outbound.OutboundState;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.RunQuery;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChannel;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChat;
import dev.midcourse.proof.crash.chat.RecordingPlatform.Post;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides what became of every message and of every answer, from what the people wrote, the ledger,
 * the transcripts of the agents and the requests that the platform got. It shares no code with the
 * conversations and the outbox except the records of the ledger.
 */
final class ChatChecker {
  private static final int EVERYTHING = 100_000;
  private static final Pattern REMARK = Pattern.compile("remark ([a-z]+)-(\\d+)\\.");

  private final Ledger ledger;
  private final Path folder;
  private final List<PersonMessage> written;
  private final List<Post> posts;
  private final List<Run> runs;
  private final Map<Run, List<Steer>> steers = new HashMap<>();
  private final List<OutboundMessage> outbox;
  private final List<String> troubles = new ArrayList<>();

  ChatChecker(Ledger ledger, Path folder, List<PersonMessage> written, List<Post> posts) {
    this.ledger = ledger;
    this.folder = folder;
    this.written = written;
    this.posts = posts;
    this.runs = ledger.read(r -> r.runs(RunQuery.newest(EVERYTHING))).reversed();
    runs.forEach(run -> steers.put(run, ledger.read(r -> r.steers(run.id()))));
    this.outbox =
        ledger.read(r ->
            r.chats().outbox(EnumSet.allOf(OutboundState.class), Optional.empty(), EVERYTHING));
  }

  ChatCheckResult check() throws IOException {
    checkStored();
    checkEffects();
    checkAgents();
    checkAnswers();
    checkPosts();
    checkReactions();
    ledger.read(r -> r.chats().approvals()).forEach(it -> troubles.add("still pending: " + it));
    runs.stream()
        .filter(run -> run.state().live())
        .forEach(run -> troubles.add("run " + run.id() + " has not ended"));
    return new ChatCheckResult(
        runs.size(),
        steers.values().stream().mapToInt(List::size).sum(),
        outbox.stream()
            .collect(
                Collectors.groupingBy(OutboundMessage::state, TreeMap::new, Collectors.counting())),
        troubles);
  }

  /** Every message is stored once, in the order in which its person wrote. */
  private void checkStored() {
    Map<DrillChat, Long> last = new HashMap<>();
    for (PersonMessage message : written) {
      List<RoutedMessage> stored = ledger.read(r -> r.chats().messagesNamed(message.id(), 10));
      if (stored.size() != 1) {
        troubles.add(message.id() + " is stored " + stored.size() + " times");
        continue;
      }
      long number = stored.getFirst().number();
      if (last.getOrDefault(message.chat(), 0L) > number) {
        troubles.add(message.id() + " is stored out of order");
      }
      last.put(message.chat(), number);
    }
  }

  /**
   * Every message is in one prompt or in one steer. Except for strangers, whose messages count from
   * their approval on, prompts and steers have the order of the messages.
   */
  private void checkEffects() {
    List<String> texts = new ArrayList<>();
    for (Run run : runs) {
      texts.add(run.spec().prompt());
      steers.getOrDefault(run, List.of()).forEach(steer -> texts.add(steer.text().value()));
    }
    checkOnce("the ledger", texts);
    Map<String, Integer> last = new HashMap<>();
    for (Matcher remark : remarks(texts)) {
      String chat = remark.group(1);
      int number = Integer.parseInt(remark.group(2));
      if (!chat.equals(DrillChat.STRANGERS.platformId()) && last.getOrDefault(chat, 0) > number) {
        troubles.add(remark.group() + " has its effect out of order");
      }
      last.put(chat, number);
    }
  }

  /** Every message was taken in by one agent, once. */
  private void checkAgents() throws IOException {
    Map<String, List<RehearsalEvent>> sessions = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".jsonl")).toList()) {
        String name = file.getFileName().toString();
        SessionId session = SessionId.of(name.substring(0, name.length() - ".jsonl".length()));
        Path home = file.resolve("../..").normalize();
        sessions.put(session + " in " + home.toRealPath(), Transcript.notes(home, session));
      }
    }
    List<String> taken = new ArrayList<>();
    for (RehearsalEvent note : sessions.values().stream().flatMap(List::stream).toList()) {
      switch (note) {
        case RehearsalEvent.Took(var _, String message) -> taken.add(message);
        case RehearsalEvent.Opened(int _, String message) -> taken.add(message);
        case RehearsalEvent.Began _,
            RehearsalEvent.Received _,
            RehearsalEvent.LetGo _,
            RehearsalEvent.Called _,
            RehearsalEvent.StepDone _,
            RehearsalEvent.Ended _ -> {}
      }
    }
    checkOnce("the agents", taken);
  }

  private void checkOnce(String where, List<String> texts) {
    Map<String, Long> counts =
        remarks(texts).stream()
            .collect(Collectors.groupingBy(Matcher::group, Collectors.counting()));
    for (PersonMessage message : written) {
      long count = counts.getOrDefault(message.remark(), 0L);
      if (count != 1) {
        troubles.add(message.id() + " is in " + where + " " + count + " times");
      }
    }
  }

  private static List<Matcher> remarks(List<String> texts) {
    List<Matcher> found = new ArrayList<>();
    for (String text : texts) {
      Matcher remark = REMARK.matcher(text);
      for (int from = 0; remark.find(from); from = remark.end(), remark = REMARK.matcher(text)) {
        found.add(remark);
      }
    }
    return found;
  }

  /** Every turn that an agent completed has one answer in the outbox. */
  private void checkAnswers() {
    Map<String, Long> texts =
        outbox.stream()
            .filter(it -> it.run().isPresent() && it.content() instanceof OutboundContent.Text)
            .filter(it -> it.rank() == OutboundMessage.RANK_ANSWER)
            .collect(Collectors.groupingBy(it -> it.run().get().value(), Collectors.counting()));
    for (Run run : runs) {
      List<TurnRecord> turns = ledger.read(r -> r.turns(run.id()));
      long answers =
          turns.stream()
              .filter(turn -> turn.how().equals(Optional.of(TurnEnd.COMPLETED)))
              .filter(turn -> !turn.answer().orElse("").isBlank())
              .count();
      long sent = texts.getOrDefault(run.id().value(), 0L);
      if (answers != sent) {
        troubles.add(run.id() + " has " + answers + " answers, and " + sent + " in the outbox");
      }
    }
  }

  /** What the platform got agrees with what the outbox says. */
  private void checkPosts() {
    Map<String, List<Post>> byKey = posts.stream().collect(Collectors.groupingBy(Post::key));
    for (OutboundMessage message : outbox) {
      List<Post> its = Optional.ofNullable(byKey.remove(message.id().value())).orElse(List.of());
      if (!legal(message, its.size())) {
        troubles.add(
            "outbox %s (%s) is %s: %s; the platform got it %d times"
                .formatted(
                    message.id(),
                    message.content(),
                    message.state(),
                    message.problem().orElse(""),
                    its.size()));
      }
      if (its.stream().map(Post::body).distinct().count() > 1) {
        troubles.add("outbox " + message.id() + " was sent with different bodies: " + its);
      }
    }
    byKey.forEach(
        (key, its) -> troubles.add("the platform got " + its + ", unknown to the outbox"));
  }

  private static boolean legal(OutboundMessage message, int times) {
    boolean keyed = message.to().channel().equals(DrillChannel.KEYED.channel());
    return switch (message.state()) {
      case SENT -> keyed ? times >= 1 : times == 1;
      case UNKNOWN -> !keyed && times <= 1;
      case SKIPPED -> times == 0;
      case SUPERSEDED -> keyed || times == 0;
      case QUEUED, SENDING, FAILED, DISMISSED -> false;
    };
  }

  /** In the end every message shows that it is done. */
  private void checkReactions() {
    Map<String, String> last = new HashMap<>();
    for (Post post : posts) {
      if (post.type().equals("reaction")) {
        last.put(
            post.body().string("message_id").orElseThrow(),
            post.body().string("status").orElseThrow());
      }
    }
    for (PersonMessage message : written) {
      String status = last.getOrDefault(message.id(), "none");
      if (message.chat().channel() == DrillChannel.KEYED && !status.equals("done")) {
        troubles.add(message.id() + " shows the reaction " + status);
      }
    }
  }
}
