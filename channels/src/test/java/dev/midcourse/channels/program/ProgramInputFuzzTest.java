package dev.midcourse.channels.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.wire.ChannelUpdate;
import dev.midcourse.channels.wire.UpdateReader;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.chat.ChannelName;
import dev.midcourse.core.chat.inbound.ChannelNotice;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every line of a channel program is something known or is ignored; every update in one is a
 * message or a click with a key, or is refused with a field and a rule. As an ordinary test it uses
 * the stored examples; {@code JAZZER_FUZZ=1} searches for others.
 */
@Tag("fuzz")
class ProgramInputFuzzTest {
  private static final ChannelName NAME = ChannelName.of("page");
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  /** Seen to fail when a file of a message has less than no bytes. */
  @MethodSource("lines")
  @FuzzTest(maxDuration = "2m")
  void a_line_of_a_program(@NotNull String text) {
    switch (ProgramLine.read(text)) {
      case ProgramLine.Update(String _, String update) -> check(update);
      case ProgramLine.Result(String id, var fields) -> {
        if (ProgramChannel.result(id, fields) instanceof SendResult.RetryAfter(var delay, var _)) {
          assertThat(delay).isBetween(Duration.ZERO, LONGEST_WAIT);
        }
      }
      case ProgramLine.Notice(var fields) ->
          ProgramChannel.notice(fields)
              .filter(ChannelNotice.Gap.class::isInstance)
              .map(ChannelNotice.Gap.class::cast)
              .ifPresent(gap -> assertThat(gap.missing()).isNotNull());
      case ProgramLine.Other(String reason) -> assertThat(reason).isNotBlank();
      case ProgramLine.Hello _, ProgramLine.Stopped _, ProgramLine.Pong _ -> {}
    }
  }

  private static void check(String update) {
    try {
      switch (new UpdateReader(NAME, Instant.EPOCH).withFiles().read(update)) {
        case ChannelUpdate.Message(var message) -> {
          assertThat(message.updateKey()).isNotBlank();
          assertThat(message.attachments())
              .allSatisfy(file -> {
                assertThat(file.bytes()).isNotNegative();
                assertThat(file.name()).doesNotContain("\n");
              });
        }
        case ChannelUpdate.Click(var click) -> assertThat(click.button()).isNotBlank();
      }
    } catch (RefusedException refused) {
      assertThat(refused.problem().rule()).isNotBlank();
    }
  }

  static Stream<String> lines() {
    String who =
        "\"message_id\":\"m1\",\"chat\":{\"id\":\"c1\",\"kind\":\"direct\"},"
            + "\"sender\":{\"id\":\"ann\"}";
    return Stream.of(
        update(who + ",\"text\":\"fix it\""),
        update(who),
        update(who + ",\"text\":7"),
        update(who + ",\"text\":\"x\",\"files\":[{}]"),
        update(who + ",\"text\":\"x\",\"files\":[{\"path\":\"a\",\"bytes\":-1}]"),
        update(who + ",\"text\":\"x\",\"files\":[{\"path\":\"../a\",\"name\":\"a\\nb\"}]"),
        update(who + ",\"text\":\"x\",\"files\":[{\"path\":\"a\",\"bytes\":1e99}]"),
        update(who + ",\"text\":\"x\",\"sent_at\":\"+999999999-12-31T23:59:59Z\""),
        update(who + ",\"text\":\"x\",\"reply_to\":{\"message_id\":\"\\u0000\"}"),
        update(who + ",\"type\":\"click\",\"update_id\":\"u1\",\"button\":\"b1\""),
        update(who + ",\"type\":\"deletion\",\"update_id\":\"u1\""),
        update("\"chat\":{\"id\":\"c1\",\"kind\":\"cave\"},\"sender\":[]"),
        "{\"type\":\"update\",\"update\":7}",
        "{\"type\":\"result\",\"id\":\"1\",\"result\":\"retry\",\"after\":1e308}",
        "{\"type\":\"result\",\"id\":\"1\",\"result\":\"retry\",\"after\":-5}",
        "{\"type\":\"result\",\"id\":\"1\",\"result\":\"sent\"}",
        "{\"type\":\"notice\",\"notice\":\"gap\",\"from\":\"x\",\"until\":\"y\"}",
        "{\"type\":\"notice\",\"notice\":\"chat_moved\",\"chat\":\"a\",\"to\":\"b\"}",
        "{\"type\":\"stopped\"}",
        "{\"type\":\"hello\",\"account\":{}}",
        "{\"type\":[]}",
        "[]",
        "\u0000");
  }

  private static String update(String fields) {
    return "{\"type\":\"update\",\"ack\":\"a1\",\"update\":{" + fields + "}}";
  }
}
