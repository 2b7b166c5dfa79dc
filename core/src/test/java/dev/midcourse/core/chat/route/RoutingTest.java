package dev.midcourse.core.chat.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.Seeded;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoutingTest {
  private static final int TRIALS = 20_000;
  static final List<String> WORDS =
      List.of(
          "seen",
          "self",
          "bot",
          "hidden",
          "edit",
          "delete",
          "group",
          "threads",
          "thread=t1",
          "thread=t2",
          "unwired",
          "unknown-chat",
          "wired=a,b",
          "workers=a,b",
          "policy=strict",
          "policy=public",
          "owner",
          "admin",
          "admin=b",
          "member",
          "live=a",
          "live=b",
          "live=a,b",
          "waiting=3",
          "idle",
          "mode=mention",
          "mode=mention_sticky",
          "pattern=^x",
          "known-only",
          "accumulate",
          "sticky",
          "debounce",
          "debouncing",
          "on=interrupt",
          "on=collect",
          "reply-live=a",
          "reply-ended=b",
          "reply-unknown",
          "of-own",
          "of-other",
          "steer-open",
          "steer-taken",
          "run-queued",
          "waits",
          "sender-pending",
          "chat-pending",
          "of-hidden");
  private static final List<String> TEXTS =
      List.of(
          "hello",
          "@mc hello",
          "stop",
          "Cancel!",
          "/stop",
          "/new x",
          "/later y",
          "/help",
          "/autopilot x",
          "");

  static Stream<String> rows() throws IOException {
    try (InputStream table = RoutingTest.class.getResourceAsStream("decisions.txt")) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList().stream();
    }
  }

  /** Seen to fail when a stop word is not looked for. */
  @ParameterizedTest
  @MethodSource("rows")
  void t137_the_table_of_decisions_holds(String row) {
    String[] parts = row.split(" \\| ", -1);
    assertThat(RoutingFixture.decide(parts[0], parts[1])).isEqualTo(parts[2].strip());
  }

  @Test
  void a_stranger_wakes_nobody_and_enters_no_context() {
    trials((situation, text) -> {
      boolean stranger =
          List.of("owner", "admin", "admin=b", "member", "policy=public").stream()
              .noneMatch(situation::contains);
      if (stranger) {
        assertThat(RoutingFixture.decide(String.join(" ", situation), text))
            .matches("drop .*|ask-chat.*|ask-sender");
      }
    });
  }

  @Test
  void a_stop_word_never_starts_or_steers_a_run() {
    trials((situation, text) -> {
      boolean changed = situation.contains("edit") || situation.contains("delete");
      if (!changed && List.of("stop", "Cancel!", "/stop").contains(text)) {
        assertThat(RoutingFixture.decide(String.join(" ", situation), text))
            .doesNotContainPattern(
                "start|continue|steer|interrupt|follow_up|collect|(?<!cancel-)debounce");
      }
    });
  }

  @Test
  void a_worker_gets_a_message_at_most_once() {
    trials((situation, text) -> {
      String decided = RoutingFixture.decide(String.join(" ", situation), text);
      for (String worker : List.of("a", "b")) {
        assertThat(
                Stream.of(decided.split(", "))
                    .filter(action ->
                        action.matches(
                            "(start|continue|debounce|accumulate) "
                                + worker
                                + "\\b.*"
                                + "|(steer|interrupt|follow_up|collect) run-"
                                + worker
                                + " .*"))
                    .count())
            .as(decided)
            .isLessThanOrEqualTo(1);
      }
    });
  }

  @Test
  void a_message_that_was_seen_has_no_effect() {
    trials((situation, text) -> {
      if (situation.contains("seen")) {
        assertThat(RoutingFixture.decide(String.join(" ", situation), text))
            .isEqualTo("drop already_seen");
      }
    });
  }

  @Test
  void pending_requests_and_workers_do_not_matter_in_a_wired_chat_of_a_known_sender() {
    trials((situation, text) -> {
      if (situation.contains("owner")
          && !situation.contains("unwired")
          && !situation.contains("unknown-chat")) {
        List<String> other = new ArrayList<>(situation);
        other.removeAll(List.of("sender-pending", "chat-pending", "workers=a,b"));
        assertThat(RoutingFixture.decide(String.join(" ", situation), text))
            .isEqualTo(RoutingFixture.decide(String.join(" ", other), text));
      }
    });
  }

  /** Seen to fail when a word that begins with the word of a command is taken for it. */
  @Test
  void t121_a_word_that_only_begins_like_a_command_is_none() {
    for (ChatCommandName name : ChatCommandName.values()) {
      assertThat(ChatCommand.parse(name.word() + "ance")).isEmpty();
      assertThat(ChatCommand.parse("x" + name.word())).isEmpty();
      assertThat(ChatCommand.parse(name.word() + " now").map(ChatCommand::name)).contains(name);
    }
    assertThat(RoutingFixture.decide("owner live=a", "/stopwatch")).doesNotContain("stop run");
    assertThat(RoutingFixture.decide("owner live=a", "/stop")).contains("stop run-a");
  }

  private interface Check {
    void that(List<String> situation, String text);
  }

  private static void trials(Check check) {
    Seeded.trials(
        TRIALS,
        random -> {
          List<String> situation = WORDS.stream().filter(_ -> random.nextInt(4) == 0).toList();
          check.that(situation, TEXTS.get(random.nextInt(TEXTS.size())));
        });
  }
}
