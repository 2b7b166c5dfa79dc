package dev.midcourse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireNamesTest {
  record WireEnum<E extends Enum<E>>(
      String field, List<E> all, Function<E, String> wire, Function<String, E> parse) {
    void roundTrips() {
      for (E constant : all) {
        assertThat(wire.apply(constant)).matches("[a-z]+(_[a-z]+)*");
        assertThat(parse.apply(wire.apply(constant))).isEqualTo(constant);
      }
      assertThat(all.stream().map(wire)).doesNotHaveDuplicates();
    }

    void refuses(String text) {
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> parse.apply(text))
          .satisfies(refused -> {
            assertThat(refused.problem().field()).isEqualTo(field);
            assertThat(refused.problem().message())
                .contains(field)
                .contains(wire.apply(all.getFirst()))
                .doesNotContain("\n", "\u001b", "\u009b");
          });
    }
  }

  static Stream<WireEnum<?>> enums() {
    return Stream.of(
        new WireEnum<>("mode", List.of(SteerMode.values()), SteerMode::wire, SteerMode::parse),
        new WireEnum<>("rung", List.of(Rung.values()), Rung::wire, Rung::parse),
        new WireEnum<>("ended", List.of(SteerEnd.values()), SteerEnd::wire, SteerEnd::parse),
        new WireEnum<>(
            "pending", List.of(PendingPolicy.values()), PendingPolicy::wire, PendingPolicy::parse),
        new WireEnum<>(
            "on_unsupported",
            List.of(OnUnsupported.values()),
            OnUnsupported::wire,
            OnUnsupported::parse),
        new WireEnum<>("state", List.of(RunState.values()), RunState::wire, RunState::parse));
  }

  @ParameterizedTest
  @MethodSource("enums")
  void wire_names_are_read_back_and_other_names_refused(WireEnum<?> named) {
    named.roundTrips();
    String first = WireNames.name(named.all().getFirst());
    for (String other :
        List.of("", " ", first + " ", first.toUpperCase(Locale.ROOT), "x\n\u001b[2J\u009b2J")) {
      named.refuses(other);
    }
  }

  @Test
  void the_words_are_those_of_the_documents() {
    assertThat(Arrays.stream(SteerMode.values()).map(SteerMode::wire))
        .containsExactly("steer", "interrupt", "follow_up", "next", "stop");
    assertThat(Arrays.stream(Rung.values()).map(Rung::wire))
        .containsExactly("stored", "offered", "accepted", "injected", "seen", "answered");
    assertThat(Arrays.stream(PendingPolicy.values()).map(PendingPolicy::wire))
        .containsExactly("all", "one", "latest");
    assertThat(Arrays.stream(RunState.values()).map(RunState::wire))
        .containsExactlyInAnyOrder(
            "queued",
            "running",
            "review_requested",
            "done",
            "failed",
            "failed_contract",
            "failed_timeout",
            "stopped");
    assertThat(Arrays.stream(Problem.Code.values()).map(Problem.Code::wire))
        .allMatch(word -> word.matches("[a-z]+(_[a-z]+)*"))
        .doesNotHaveDuplicates();
  }

  @Test
  void a_turkish_machine_writes_the_same_words() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.of("tr", "TR"));
      assertThat(Rung.INJECTED.wire()).isEqualTo("injected");
    } finally {
      Locale.setDefault(before);
    }
  }
}
