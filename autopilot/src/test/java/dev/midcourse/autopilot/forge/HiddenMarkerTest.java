package dev.midcourse.autopilot.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Markers in comments. */
final class HiddenMarkerTest {
  /** Seen to fail when a marker counts wherever it is. */
  @Test
  void the_text_of_an_agent_is_no_marker_of_another_comment() {
    String text = "Fixed. <!-- loop-1/reply-2 -->";
    String reply = HiddenMarker.append(text, "loop-1/reply-1");

    assertThat(HiddenMarker.isIn(reply, "loop-1/reply-1")).isTrue();
    assertThat(HiddenMarker.isIn(reply + "\r\n", "loop-1/reply-1")).isTrue();
    assertThat(HiddenMarker.isIn(reply, "loop-1/reply-2")).isFalse();
    assertThat(HiddenMarker.append(reply, "loop-1/reply-1")).isEqualTo(reply);
  }

  @Test
  void a_marker_cannot_end_its_comment() {
    for (String wrong : List.of("a-->b", "a b", "", "a--b", "x".repeat(201))) {
      assertThatThrownBy(() -> HiddenMarker.append("text", wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
