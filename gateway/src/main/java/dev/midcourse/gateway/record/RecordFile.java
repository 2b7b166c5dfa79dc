package dev.midcourse.gateway.record;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The records of an attempt, one line of JSON each, appended by one call. A writer that dies leaves
 * at most one line without its end; a reader ignores it, and the next writer begins a new line.
 * Links are not followed.
 */
public final class RecordFile {

  private final Path path;

  public RecordFile(Path path) {
    this.path = path;
  }

  /** Ends a torn line of an earlier writer. */
  void repair() throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !endsWithLine()) {
      write("\n");
    }
  }

  private boolean endsWithLine() throws IOException {
    try (var channel =
        Files.newByteChannel(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      long size = channel.size();
      if (size == 0) {
        return true;
      }
      ByteBuffer last = ByteBuffer.allocate(1);
      channel.position(size - 1).read(last);
      return last.get(0) == '\n';
    }
  }

  void append(GatewayRecord record) throws IOException {
    write(record.json() + "\n");
  }

  private void write(String text) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    try (OutputStream out =
        Files.newOutputStream(path, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Reads all whole records. Lines that cannot be read are left out. */
  public List<GatewayRecord> read() throws IOException {
    List<GatewayRecord> records = new ArrayList<>();
    String text;
    try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (NoSuchFileException none) {
      return records;
    }
    int from = 0;
    int end = text.indexOf('\n');
    while (end >= 0) {
      GatewayRecord.parse(text.substring(from, end)).ifPresent(records::add);
      from = end + 1;
      end = text.indexOf('\n', from);
    }
    return records;
  }
}
