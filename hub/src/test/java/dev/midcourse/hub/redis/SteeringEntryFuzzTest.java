package dev.midcourse.hub.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.route.StopWords;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.steer.Author;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every entry of a list in Redis, and every name of a list, is a request with a key and an author
 * or is refused with a field and a rule. As an ordinary test it uses the stored examples; {@code
 * JAZZER_FUZZ=1} searches for others.
 */
@Tag("fuzz")
class SteeringEntryFuzzTest {
  @MethodSource("entries")
  @FuzzTest(maxDuration = "2m")
  void an_entry(@NotNull String session, byte @NotNull [] entry) {
    SessionName.ofKey("steering:" + session)
        .filter(name -> name.problem().isEmpty())
        .ifPresent(name -> {
          try {
            SteeringEntry parsed = SteeringEntry.parse(entry, StopWords.always());
            IdempotencyKey key = parsed.keyed(name, "0123456789abcdef-100").key().orElseThrow();
            assertThat(SteeringEntry.sessionOf(key)).contains(name);
            assertThat(SteeringEntry.idOf(key)).isEqualTo(parsed.id());
            Author author = new Author(GroupName.of("main"), parsed.origin());
            assertThat(SteeringEntry.isOrigin(author.origin())).isTrue();
          } catch (RefusedException refused) {
            assertThat(refused.problem().field()).isNotBlank();
            assertThat(refused.problem().rule()).isNotBlank();
          }
        });
    TakenEntry taken = TakenEntry.of(entry);
    assertThat(taken.id().length()).isLessThanOrEqualTo(taken.tag().length());
  }

  static Stream<Arguments> entries() {
    return Stream.of(
            Stream.of("run-1", "{\"text\":\"a\",\"sender\":\"Tom\",\"timestamp\":1.5}"),
            Stream.of("x".repeat(80), "{\"text\":\"a\",\"id\":\"" + "i".repeat(40) + "\"}"),
            Stream.of("x".repeat(81), "{\"text\":\"a\"}"),
            Stream.of(
                "tg_p_-100_4", "{\"text\":\"stop\",\"sender\":\"\u0130\u00df \ud83d\ude00\"}"),
            Stream.of("a:b", "{\"text\":null,\"is_abort\":true,\"sender\":\"   \"}"),
            Stream.of("processing:x", "{\"text\":\"a\",\"text\":\"b\"}"),
            Stream.of("rejected", "{}"),
            Stream.of("", "[]"),
            Stream.of("a..b", "{\"text\":\"\\ud800\"}"),
            Stream.of("r", "{\"text\":\"\\u0000\",\"sender\":7}"),
            Stream.of("r", "{\"text\":\"a\",\"id\":\"..\"}"),
            Stream.of("r", "0123456789abcdef-1={\"text\":\"a\"}"),
            Stream.of("r", "{\"text\":\"a\",\"sender\":\"" + "\u00e9".repeat(100) + "\"}"))
        .map(Stream::toList)
        .map(pair -> Arguments.of(pair.getFirst(), pair.getLast().getBytes(UTF_8)));
  }
}
