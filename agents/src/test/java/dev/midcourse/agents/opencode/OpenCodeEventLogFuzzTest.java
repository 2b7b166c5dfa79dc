package dev.midcourse.agents.opencode;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever OpenCode's log says, it is read on, and what is remembered is sound. */
@Tag("fuzz")
final class OpenCodeEventLogFuzzTest {
  private static final OpenCodeIds IDS =
      OpenCodeIds.of(
          new AttemptSpec(
              RunId.of("some-run"),
              1,
              "mark",
              Path.of("folder"),
              Path.of("home"),
              Path.of("workspace"),
              Optional.empty(),
              Map.of()));

  @MethodSource("entries")
  @FuzzTest(maxDuration = "2m")
  void entries_of_the_log(@NotNull List<@NotNull String> entries) {
    OpenCodeEventLog log = new OpenCodeEventLog(IDS, OpenCodeMemo.FRESH);
    for (String entry : entries) {
      ProtocolJson.object(entry)
          .ifPresent(json -> {
            OpenCodeStartup.seq(json);
            log.read(json);
          });
      OpenCodeMemo.read(log.memo());
    }
  }

  static Stream<Arguments> entries() {
    String next = "{\"type\":\"session.next.%s\",\"durable\":{\"seq\":%s},\"data\":{%s}}";
    List<String> all =
        List.of(
            next.formatted("prompt.admitted", 1, "\"messageID\":\"" + IDS.opening(1) + "\""),
            next.formatted("prompted", "\"x\"", "\"messageID\":\"msg_nobody\""),
            next.formatted("step.started", "{}", ""),
            next.formatted("tool.called", "1e99", "\"callID\":[],\"input\":\"x\""),
            next.formatted("step.ended", "[]", "\"finish\":1,\"tokens\":{\"input\":\"many\"}"),
            next.formatted("step.ended", "null", "\"cost\":\"x\",\"tokens\":7"),
            next.formatted("step.failed", "-1", "\"error\":[]"));
    return Stream.concat(all.stream().map(List::of), Stream.of(all)).map(Arguments::of);
  }
}
