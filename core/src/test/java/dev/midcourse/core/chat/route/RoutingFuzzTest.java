package dev.midcourse.core.chat.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.inbound.InboundMessage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every text in every situation has a decision, and reading it as a command or a stop word never
 * fails. As an ordinary test it uses the stored examples; {@code JAZZER_FUZZ=1} searches for
 * others.
 */
@Tag("fuzz")
class RoutingFuzzTest {
  @MethodSource("situations")
  @FuzzTest(maxDuration = "2m")
  void a_decision(byte @NotNull [] situation, @NotNull String text) {
    List<String> words =
        IntStream.range(0, Math.min(situation.length * 8, RoutingTest.WORDS.size()))
            .filter(bit -> (situation[bit / 8] >> bit % 8 & 1) == 1)
            .mapToObj(RoutingTest.WORDS::get)
            .toList();
    InboundMessage message;
    try {
      message = RoutingFixture.of(words).message(text);
    } catch (RefusedException notPlainText) {
      return; // no channel can make a message of it
    }
    RoutingDecision decided = Routing.decide(message, RoutingFixture.of(words).context());
    assertThat(decided.actions()).isNotEmpty();
    assertThat(Routing.decide(message, RoutingFixture.of(words).context())).isEqualTo(decided);
  }

  @MethodSource("texts")
  @FuzzTest(maxDuration = "2m")
  void a_command_and_a_stop_word(@NotNull String text) {
    Optional<ChatCommand> command = ChatCommand.parse(text);
    boolean stops = new StopWords(Set.of(text)).matches(text);
    boolean stopsAlways = StopWords.always().matches(text);
    assertThat(stops || text.replaceAll("[!.\\s\\h\\v]", "").isEmpty() || isFoldedAway(text))
        .isTrue();
    assertThat(command.isPresent() && stopsAlways).isFalse();
    command.ifPresent(it -> {
      assertThat(it.argument()).isEqualTo(it.argument().strip());
      assertThat(ChatCommand.parse(it.name().word() + " " + it.argument())).contains(it);
    });
  }

  /** A text of signs that count for nothing is no stop word, also if the settings name it. */
  private static boolean isFoldedAway(String text) {
    return new StopWords(Set.of(text)).words().equals(StopWords.always().words());
  }

  static Stream<Arguments> situations() {
    return Stream.of(
        Arguments.of(new byte[0], ""),
        Arguments.of(new byte[] {0, 0, 0, 0, 0, 0}, "hello"),
        Arguments.of(new byte[] {-1, -1, -1, -1, -1, -1}, "stop"),
        Arguments.of(new byte[] {64, 2, 8, 1, 0, 4}, "/later \ud800"),
        Arguments.of(new byte[] {16, 32, 64, -128, 1, 2}, "@mc /new"),
        Arguments.of(new byte[] {0, 16, 4, 0, 32}, "x".repeat(70_000)));
  }

  static Stream<String> texts() {
    return Stream.of(
        "",
        "stop",
        " STOP!.! ",
        "\uff33\uff34\uff2f\uff30",
        "/stop",
        "/Stop now",
        "/stopping",
        "/remote-control\u00a0",
        "\u0130",
        "...!",
        "\ud800",
        "/withdraw\n\n",
        "/\u017ftop");
  }
}
