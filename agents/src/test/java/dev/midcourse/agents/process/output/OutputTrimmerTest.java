package dev.midcourse.agents.process.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.os.Libc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputTrimmerTest {
  private static final int MEBIBYTE = 1024 * 1024;
  private static final int LENGTH = 8 * MEBIBYTE;
  private static final int NEEDLESS = 6 * MEBIBYTE;

  private final Libc libc = Libc.load().orElseThrow();

  @TempDir Path root;

  private AttemptFolder written() throws IOException {
    AttemptFolder folder = AttemptFolder.create(root.resolve("attempt"));
    byte[] all = new byte[LENGTH];
    Arrays.fill(all, (byte) 'x');
    Files.write(folder.output(OutputFile.OUT), all);
    return folder;
  }

  private void assumeThatPartsCanBeGivenBack() throws IOException {
    Path probe = Files.write(root.resolve("probe"), new byte[MEBIBYTE]);
    int descriptor = libc.openForWriting(probe.toString());
    int result = libc.punchHole(descriptor, 0, MEBIBYTE);
    libc.close(descriptor);
    assumeTrue(result >= 0, "this file system gives no parts of a file back");
  }

  /** What the file takes on disk, in bytes; only the system's own program can tell. */
  private static long onDisk(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return 512 * Long.parseLong(blocks.strip());
  }

  /** Seen to fail when nothing is given back. */
  @Test
  void trimmed_output_is_freed_and_the_rest_keeps_its_offsets() throws Exception {
    assumeThatPartsCanBeGivenBack();
    AttemptFolder folder = written();
    Path out = folder.output(OutputFile.OUT);
    new OutputTrimmer(Optional.of(libc)).giveBack(folder, OutputFile.OUT, NEEDLESS);

    byte[] all = Files.readAllBytes(out);
    assertThat(all).hasSize(LENGTH);
    assertThat(whole(all, 0, MEBIBYTE)).as("the beginning").isTrue();
    assertThat(all[MEBIBYTE]).isZero();
    assertThat(all[NEEDLESS - 1]).isZero();
    assertThat(whole(all, NEEDLESS, LENGTH)).as("the rest").isTrue();
    assertThat(onDisk(out)).isLessThan(4L * MEBIBYTE);
  }

  @Test
  void the_beginning_always_stays() throws Exception {
    AttemptFolder folder = written();
    new OutputTrimmer(Optional.of(libc)).giveBack(folder, OutputFile.OUT, MEBIBYTE);
    assertThat(whole(Files.readAllBytes(folder.output(OutputFile.OUT)), 0, LENGTH)).isTrue();
  }

  @Test
  void a_system_that_cannot_do_it_leaves_the_file_as_it_is() throws Exception {
    AttemptFolder folder = written();
    new OutputTrimmer(Optional.empty()).giveBack(folder, OutputFile.OUT, NEEDLESS);
    assertThat(whole(Files.readAllBytes(folder.output(OutputFile.OUT)), 0, LENGTH)).isTrue();
  }

  /** Seen to fail when the file is opened through links. */
  @Test
  void a_link_in_its_place_is_not_followed() throws Exception {
    AttemptFolder folder = written();
    Path elsewhere = Files.move(folder.output(OutputFile.OUT), root.resolve("elsewhere"));
    Files.createSymbolicLink(folder.output(OutputFile.OUT), elsewhere);
    new OutputTrimmer(Optional.of(libc)).giveBack(folder, OutputFile.OUT, NEEDLESS);
    assertThat(whole(Files.readAllBytes(elsewhere), 0, LENGTH)).isTrue();
  }

  private static boolean whole(byte[] all, int from, int to) {
    for (int at = from; at < to; at++) {
      if (all[at] != 'x') {
        return false;
      }
    }
    return true;
  }
}
