package dev.midcourse.agents.hosted;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.OutputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

/**
 * Reads the last 20 lines of a program's standard error, from its last 4096 bytes. They help to
 * explain an exit.
 */
final class StderrTail {
  private static final int MAX_BYTES = 4096;
  private static final int MAX_LINES = 20;

  private StderrTail() {}

  static String of(AttemptFolder folder) {
    try (FileChannel file =
        FileChannel.open(
            folder.output(OutputFile.ERR),
            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      long from = Math.max(0, file.size() - MAX_BYTES);
      ByteBuffer tail = ByteBuffer.allocate((int) (file.size() - from));
      while (tail.hasRemaining() && file.read(tail, from + tail.position()) > 0) {}
      String text = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
      List<String> lines = text.strip().lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    } catch (IOException unreadable) {
      return "";
    }
  }
}
