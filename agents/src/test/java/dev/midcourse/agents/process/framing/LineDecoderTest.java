package dev.midcourse.agents.process.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.Seed;
import dev.midcourse.agents.process.framing.FrameDecoder.OutputFrame;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LineDecoderTest {

  private final List<OutputFrame> pieces = new ArrayList<>();

  @Test
  void lines_come_whole_with_the_offset_after_them_whatever_the_chunks() {
    LineDecoder lines = new LineDecoder(100);
    lines.feed("one\ntw".getBytes(UTF_8), pieces::add);
    lines.feed("o".getBytes(UTF_8), pieces::add);
    lines.feed("\n\r\n\nfi".getBytes(UTF_8), pieces::add);
    assertThat(pieces)
        .containsExactly(
            new OutputFrame.Whole("one", 104),
            new OutputFrame.Whole("two", 108),
            new OutputFrame.Whole("\r", 110),
            new OutputFrame.Whole("", 111));
    assertThat(lines.rest()).contains(new OutputFrame.Whole("fi", 113));
    assertThat(lines.rest()).isEmpty();
  }

  @Test
  void a_character_that_two_chunks_share_is_not_broken() {
    byte[] text = "gr\u00fc\u00df \ud83d\ude80\n".getBytes(UTF_8);
    LineDecoder lines = new LineDecoder(0);
    for (byte b : text) {
      lines.feed(new byte[] {b}, pieces::add);
    }
    assertThat(pieces)
        .containsExactly(new OutputFrame.Whole("gr\u00fc\u00df \ud83d\ude80", text.length));
  }

  @Test
  void bytes_that_are_no_text_are_shown_as_such_and_spoil_nothing_else() {
    LineDecoder lines = new LineDecoder(0);
    lines.feed(new byte[] {'a', (byte) 0xff, (byte) 0xc3, '\n', 0, 'b', '\n'}, pieces::add);
    assertThat(pieces)
        .containsExactly(
            new OutputFrame.Whole("a\ufffd\ufffd", 4), new OutputFrame.Whole("\0b", 7));
  }

  @Test
  void a_line_over_8_mib_is_cut_and_the_next_one_is_whole() {
    int extra = 12_345;
    byte[] line = new byte[FrameDecoder.MAX_LENGTH + extra];
    Arrays.fill(line, (byte) 'x');
    LineDecoder lines = new LineDecoder(0);
    for (int at = 0; at < line.length; at += 65_536) {
      lines.feed(Arrays.copyOfRange(line, at, Math.min(at + 65_536, line.length)), pieces::add);
    }
    assertThat(pieces).isEmpty();
    lines.feed("\nnext\n".getBytes(UTF_8), pieces::add);
    assertThat(pieces)
        .containsExactly(
            new OutputFrame.Cut("x".repeat(FrameDecoder.MAX_LENGTH), extra, line.length + 1L),
            new OutputFrame.Whole("next", line.length + 6L));
  }

  @Test
  void a_line_of_exactly_the_limit_is_whole_in_one_chunk_or_many() {
    for (int chunk : new int[] {1, 3, 100}) {
      pieces.clear();
      feedInChunks(new LineDecoder(0, 10), "0123456789\n01234567890\n".getBytes(UTF_8), chunk);
      assertThat(pieces)
          .containsExactly(
              new OutputFrame.Whole("0123456789", 11), new OutputFrame.Cut("0123456789", 1, 23));
    }
  }

  @Test
  void any_stream_is_split_the_same_however_it_is_cut_and_resumed() {
    Seed seed = Seed.drawnFor("lines");
    Random random = seed.random();
    for (int round = 0; round < 200; round++) {
      byte[] stream = randomStream(random);
      pieces.clear();
      feedInChunks(new LineDecoder(0, 50), stream, stream.length + 1);
      List<OutputFrame> atOnce = List.copyOf(pieces);
      pieces.clear();
      feedInChunks(new LineDecoder(0, 50), stream, 1 + random.nextInt(40));
      assertThat(pieces).as("%s", seed).isEqualTo(atOnce);
      if (!atOnce.isEmpty()) {
        int kept = random.nextInt(atOnce.size());
        long from = kept == 0 ? 0 : atOnce.get(kept - 1).endOffset();
        pieces.clear();
        feedInChunks(
            new LineDecoder(from, 50), Arrays.copyOfRange(stream, (int) from, stream.length), 7);
        assertThat(pieces).as("%s", seed).isEqualTo(atOnce.subList(kept, atOnce.size()));
      }
    }
  }

  private void feedInChunks(FrameDecoder splitter, byte[] stream, int size) {
    for (int at = 0; at < stream.length; at += size) {
      splitter.feed(
          Arrays.copyOfRange(stream, at, Math.min(at + size, stream.length)), pieces::add);
    }
  }

  private static byte[] randomStream(Random random) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int line = random.nextInt(20); line > 0; line--) {
      byte[] text = new byte[random.nextInt(80)];
      random.nextBytes(text);
      stream.writeBytes(text);
      stream.write('\n');
    }
    return stream.toByteArray();
  }
}
