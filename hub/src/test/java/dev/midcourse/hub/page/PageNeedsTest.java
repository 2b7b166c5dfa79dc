package dev.midcourse.hub.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.run.Need;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The needs of runs in {@code format.js}, compared with {@link Need}. */
final class PageNeedsTest {
  private static final Pattern ENTRY = Pattern.compile("\\[\"([a-z ]+)\", \\{[^}]*rank: (\\d+)");

  /** Seen to fail when format.js has another rank for a need, or lacks one. */
  @Test
  void the_page_knows_every_need_with_its_rank() throws IOException {
    Map<String, Integer> ranks =
        ENTRY
            .matcher(script())
            .results()
            .collect(Collectors.toMap(it -> it.group(1), it -> Integer.valueOf(it.group(2))));

    assertThat(ranks).isEqualTo(needs().collect(Collectors.toMap(Need::text, Need::rank)));
  }

  private static Stream<Need> needs() {
    return Stream.concat(
        Arrays.stream(AskKind.values()).map(Need.Answer::new),
        Stream.of(
            new Need.Review(),
            new Need.Quiet(),
            new Need.FailedContract(),
            new Need.TimedOut(),
            new Need.Failed()));
  }

  private static String script() throws IOException {
    try (var in = PageFiles.class.getResourceAsStream("js/format.js")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
