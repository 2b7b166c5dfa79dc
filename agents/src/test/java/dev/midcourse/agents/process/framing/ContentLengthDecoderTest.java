package dev.midcourse.agents.process.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContentLengthDecoderTest {

  private final List<OutputFrame> pieces = new ArrayList<>();

  private List<OutputFrame> split(ContentLengthDecoder frames, String stream, int chunk) {
    byte[] bytes = stream.getBytes(UTF_8);
    for (int at = 0; at < bytes.length; at += chunk) {
      frames.feed(Arrays.copyOfRange(bytes, at, Math.min(at + chunk, bytes.length)), pieces::add);
    }
    return pieces;
  }

  @Test
  void messages_come_whole_with_the_offset_after_them_whatever_the_chunks() {
    String stream =
        "Content-Length: 5\r\n\r\nh\u00e9\n!"
            + "content-length:0\r\nContent-Type: x; charset=utf-8\r\n\r\n"
            + "Content-Length: 2\n\nab";
    int length = stream.getBytes(UTF_8).length;
    for (int chunk : new int[] {1, 2, 7, 1000}) {
      pieces.clear();
      assertThat(split(new ContentLengthDecoder(10), stream, chunk))
          .containsExactly(
              new OutputFrame.Whole("h\u00e9\n!", 36),
              new OutputFrame.Whole("", 10 + length - 21),
              new OutputFrame.Whole("ab", 10 + length));
    }
  }

  @Test
  void a_line_that_is_no_header_is_a_stray_and_the_next_message_is_understood() {
    String stream = "warning: noise\n\nContent-Length: none\r\nContent-Length: 2\r\n\r\nok";
    assertThat(split(new ContentLengthDecoder(0), stream, 3))
        .containsExactly(
            new OutputFrame.Stray("warning: noise", 15),
            new OutputFrame.Stray("Content-Length: none", 38),
            new OutputFrame.Whole("ok", stream.length()));
  }

  @Test
  void a_message_over_the_limit_is_cut_and_the_next_one_is_whole() {
    String stream = "Content-Length: 7\r\n\r\n1234567Content-Length: 4\r\n\r\n1234";
    for (int chunk : new int[] {1, 5, 1000}) {
      pieces.clear();
      assertThat(split(new ContentLengthDecoder(0, 4), stream, chunk))
          .containsExactly(
              new OutputFrame.Cut("1234", 3, 28), new OutputFrame.Whole("1234", stream.length()));
    }
  }

  @Test
  void a_message_that_is_broken_off_is_no_message() {
    ContentLengthDecoder frames = new ContentLengthDecoder(0);
    assertThat(split(frames, "Content-Length: 9\r\n\r\n1234", 1000)).isEmpty();
    assertThat(frames.rest()).contains(new OutputFrame.Stray("1234", 25));
    assertThat(frames.rest()).isEmpty();
  }
}
