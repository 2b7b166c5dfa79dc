package dev.midcourse.gateway.driver;

import dev.midcourse.gateway.record.BeginRecord;
import dev.midcourse.gateway.record.GatewayRecord;
import dev.midcourse.gateway.record.RequestRecord;
import dev.midcourse.gateway.record.ResponseRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the records of an attempt on from where the last call stopped. Not thread-safe. */
final class RequestFollower {
  private static final int PORTION = 64 * 1024;

  private final Path file;
  private final Set<Long> unread = new HashSet<>();
  private long offset;

  RequestFollower(Path file) {
    this.file = file;
  }

  /** Returns the records of requests that are new. A line without its end is read later. */
  List<RequestRecord> readNew() throws IOException {
    List<RequestRecord> found = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      String text = read(channel);
      int from = 0;
      int end = text.indexOf('\n');
      while (end >= 0) {
        GatewayRecord.parse(fromLatin(text.substring(from, end)))
            .ifPresent(record -> take(record, found));
        from = end + 1;
        end = text.indexOf('\n', from);
      }
      offset += from;
    } catch (NoSuchFileException noRequestYet) {
      return found;
    }
    return found;
  }

  private void take(GatewayRecord record, List<RequestRecord> found) {
    switch (record) {
      case BeginRecord begin -> unread.add(begin.number());
      case RequestRecord request -> {
        unread.remove(request.number());
        found.add(request);
      }
      case ResponseRecord response -> unread.remove(response.number());
    }
  }

  /** Returns whether a request has begun of which it is not known yet what it was. */
  boolean hasUnread() {
    return !unread.isEmpty();
  }

  /** Returns what was written since, one character for each byte. */
  private String read(FileChannel channel) throws IOException {
    StringBuilder text = new StringBuilder();
    ByteBuffer portion = ByteBuffer.allocate(PORTION);
    int count = channel.read(portion, offset);
    while (count > 0) {
      text.append(new String(portion.array(), 0, count, StandardCharsets.ISO_8859_1));
      portion.clear();
      count = channel.read(portion, offset + text.length());
    }
    return text.toString();
  }

  private static String fromLatin(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
