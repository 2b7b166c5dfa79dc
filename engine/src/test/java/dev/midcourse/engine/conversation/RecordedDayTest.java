package dev.midcourse.engine.conversation;

import static dev.midcourse.engine.conversation.ChatFixture.WORKER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.chat.Chat;
import dev.midcourse.core.chat.ChatKind;
import dev.midcourse.core.chat.inbound.InboundMessage;
import dev.midcourse.core.chat.person.PersonRole;
import dev.midcourse.core.chat.route.RoutedMessage;
import dev.midcourse.core.chat.route.RoutingAction;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays whole days of chats and compares the decision about each message with the record. */
class RecordedDayTest {
  @TempDir Path folder;

  record Day(String name, List<String> lines) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Day> days() throws IOException {
    List<Day> days = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(RecordedDayTest.class.getResourceAsStream("days.txt"))) {
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        if (line.startsWith("day ")) {
          days.add(new Day(line.substring(4), new ArrayList<>()));
        } else if (!line.isBlank() && !line.startsWith("#")) {
          days.getLast().lines().add(line);
        }
      }
    }
    return days.stream();
  }

  @ParameterizedTest
  @MethodSource("days")
  void each_message_of_a_recorded_day_means_what_it_meant(Day day) {
    try (ChatFixture fixture = new ChatFixture(folder)) {
      Replay replay = new Replay(fixture);
      day.lines().forEach(replay::play);
    }
  }

  private static final class Replay {
    private final ChatFixture fixture;
    private final Map<String, Chat> chats = new HashMap<>();
    private final Map<String, String> messages = new HashMap<>();

    Replay(ChatFixture fixture) {
      this.fixture = fixture;
      fixture.person("ann", PersonRole.MEMBER);
      fixture.person("own", PersonRole.OWNER);
      for (String name : List.of("dm-ann", "dm-own")) {
        chats.put(name, fixture.chat(name, ChatKind.DIRECT, false, WORKER));
      }
      chats.put("g", fixture.chat("g", ChatKind.GROUP, false, WORKER));
      chats.put("t", fixture.chat("t", ChatKind.GROUP, true, WORKER));
    }

    void play(String line) {
      if (line.startsWith("agent ")) {
        agent(line.substring("agent ".length()));
        return;
      }
      String[] parts = line.split("\\|", -1);
      List<String> words = Arrays.asList(parts[0].strip().split("\\s+"));
      ChatFixture.Draft draft =
          fixture
              .says(words.get(1), parts[1].strip())
              .in(Objects.requireNonNull(chats.get(words.get(2))));
      value(words, "thread").ifPresent(draft::thread);
      value(words, "re").map(messages::get).ifPresent(draft::replyTo);
      value(words, "edit").map(messages::get).ifPresent(draft::edits);
      value(words, "delete").map(messages::get).ifPresent(draft::deletes);
      if (words.contains("mention")) {
        draft.mentioned();
      }
      InboundMessage message = draft.message();
      fixture.service().receive(message);
      messages.putIfAbsent(words.getFirst(), message.ref().message());
      assertThat(shown(newest())).as(line).isEqualTo(parts[2].strip());
    }

    private void agent(String does) {
      Run run = fixture.runs().getLast();
      if (does.equals("begins")) {
        fixture.begins(run);
      } else {
        fixture.agent.ends(does.substring("ends ".length()));
        // A message that waits opens the next turn; the day goes on when the run has ended.
        await()
            .until(() ->
                fixture.engine.now(run.id()).state() != RunState.RUNNING
                    || fixture.agent.told.stream().anyMatch(line -> line.startsWith("prompt 2")));
        if (fixture.engine.now(run.id()).state() == RunState.RUNNING) {
          fixture.agent.begins(2);
          fixture.agent.ends("and that");
          fixture.engine.awaitState(run.id(), RunState.DONE);
        }
      }
    }

    private RoutedMessage newest() {
      return fixture
          .engine
          .ledger
          .read(r -> r.chats().messages(Optional.empty(), Optional.empty(), 1))
          .getFirst();
    }

    private static Optional<String> value(List<String> words, String name) {
      return words.stream()
          .filter(word -> word.startsWith(name + "="))
          .map(word -> word.substring(name.length() + 1))
          .findFirst();
    }

    private static String shown(RoutedMessage stored) {
      return stored.decision().actions().stream()
          .map(Replay::shown)
          .collect(Collectors.joining(", "));
    }

    private static String shown(RoutingAction action) {
      return switch (action) {
        case RoutingAction.Drop it -> "drop " + it.reason().wire();
        case RoutingAction.RequestChannelApproval _ -> "ask-chat";
        case RoutingAction.WireChat _ -> "wire";
        case RoutingAction.RequestSenderApproval _ -> "ask-sender";
        case RoutingAction.StartRun it -> it.fresh() ? "start fresh" : "start";
        case RoutingAction.ContinueRun _ -> "continue";
        case RoutingAction.Debounce _ -> "debounce";
        case RoutingAction.CancelDebounce _ -> "cancel-debounce";
        case RoutingAction.Collect it ->
            "collect" + (it.position() > 1 ? " #" + it.position() : "");
        case RoutingAction.SteerRun it ->
            it.mode().wire() + (it.position() > 1 ? " #" + it.position() : "");
        case RoutingAction.StopRun _ -> "stop";
        case RoutingAction.EditSteer _ -> "edit";
        case RoutingAction.WithdrawSteer _ -> "withdraw";
        case RoutingAction.ChangeWaiting _ -> "change-waiting";
        case RoutingAction.Accumulate _ -> "accumulate";
        case RoutingAction.SetSticky it -> it.sticky() ? "sticky" : "unsticky";
        case RoutingAction.RunCommand it -> "command " + it.command().name().word();
        case RoutingAction.ChooseButton _ -> "choose";
        case RoutingAction.DirectLoops it -> "loops " + it.order();
        case RoutingAction.Tell it -> "tell " + it.reason().wire();
        case RoutingAction.Unknown it -> "unknown " + it.kind();
      };
    }
  }
}
