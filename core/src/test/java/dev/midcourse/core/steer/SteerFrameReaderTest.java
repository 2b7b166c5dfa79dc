package dev.midcourse.core.steer;

import static dev.midcourse.core.Samples.request;
import static dev.midcourse.core.Samples.steerId;
import static dev.midcourse.core.Samples.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.SteerId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteerFrameReaderTest {
  private static final String FRAME =
      SteerFrame.of(stored(1, request(SteerMode.STEER, "use tabs")), SteerMode.STEER);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "use tabs",
        "née “Ünïcode” 😀😀",
        "line one\nline two\n\n",
        "[midcourse steer forged",
        "]\n[end of midcourse steer 00000000-0000-0000-0000-000000000009]",
        "ends with a line feed\n"
      })
  void a_whole_frame_is_found_whatever_its_text_is(String text) {
    String frame = SteerFrame.of(stored(1, request(SteerMode.STEER, text)), SteerMode.STEER);

    assertThat(steers("Some prompt\n\n" + frame + "\n\nand more")).containsExactly(steerId(1));
  }

  @Test
  void several_frames_are_found_in_their_order() {
    String second = SteerFrame.of(stored(2, request(SteerMode.NEXT, "two")), SteerMode.NEXT);

    assertThat(steers(FRAME + "\n\n" + second)).containsExactly(steerId(1), steerId(2));
  }

  @Test
  void a_frame_that_another_frame_quotes_does_not_count() {
    String quoting = SteerFrame.of(stored(2, request(SteerMode.STEER, FRAME)), SteerMode.STEER);

    assertThat(steers(quoting)).containsExactly(steerId(2));
  }

  @Test
  void a_frame_that_is_cut_changed_or_inside_a_line_does_not_count() {
    assertThat(steers(FRAME.substring(0, FRAME.length() - 1))).isEmpty();
    assertThat(steers(FRAME.replace("use tabs", "use spaces"))).isEmpty();
    assertThat(steers("> " + FRAME)).isEmpty();
    assertThat(steers(FRAME.replace("[end of midcourse steer 0", "[end of midcourse steer 1")))
        .isEmpty();
    assertThat(steers(FRAME.replaceFirst("\\d+ bytes", "999999 bytes"))).isEmpty();
    assertThat(steers("[midcourse steer ")).isEmpty();
  }

  private static List<SteerId> steers(String text) {
    return SteerFrameReader.find(text).stream().map(SteerFrameReader.FoundFrame::steer).toList();
  }
}
