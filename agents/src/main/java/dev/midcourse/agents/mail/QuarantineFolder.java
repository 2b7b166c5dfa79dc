package dev.midcourse.agents.mail;

import dev.midcourse.core.text.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Keeps the files of a mailbox that could not be read, each with a second file that contains the
 * reason. At most about 1,000 files are kept; the oldest are deleted first.
 */
public final class QuarantineFolder {
  private static final String REASON = ".reason.txt";
  private static final int MAX_NAME = 255;
  private static final int MAX_KEPT = 1_000;

  /** The oldest files are deleted each time this number of files was added. */
  private static final int AT_ONCE = 100;

  private final MailboxDirectory errors;
  private int sinceLooked = AT_ONCE;

  public QuarantineFolder(MailboxDirectory errors) {
    this.errors = errors;
  }

  /** Moves a file into this folder. Returns false if the file is gone. */
  public synchronized boolean put(MailboxDirectory from, String name, String why)
      throws IOException {
    return put(from, Path.of(name), nameFor(from.steps().getLast() + "-" + name), why);
  }

  /** Moves a file into this folder whose name is not UTF-8, under another name. */
  public synchronized boolean putMisnamed(MailboxDirectory from, Path file) throws IOException {
    String name = VisibleText.exactLine(file.toString());
    String as = from.steps().getLast() + "-" + UUID.randomUUID() + ".json";
    return put(from, file, as, "its name is not UTF-8: " + name);
  }

  private boolean put(MailboxDirectory from, Path file, String as, String why) throws IOException {
    errors.made();
    boolean there = from.opened(folder -> errors.opened(to -> folder.move(file, to, as)));
    if (there) {
      errors.write(as + REASON, why + "\n");
      sinceLooked++;
    }
    if (sinceLooked >= AT_ONCE) {
      sinceLooked = 0;
      errors.opened(QuarantineFolder::deleteOldest);
    }
    return there;
  }

  /**
   * Returns the same name for the same file, and never a name that is too long for the file system.
   */
  private static String nameFor(String wanted) {
    byte[] bytes = (wanted + REASON).getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAX_NAME ? wanted : UUID.nameUUIDFromBytes(bytes) + ".json";
  }

  /**
   * Uses the time of the reason file, because the writer of a file controls the time of that file.
   */
  private static int deleteOldest(DirectoryHandle errors) throws IOException {
    Map<String, Instant> times = new HashMap<>();
    for (String name : errors.all()) {
      if (name.endsWith(REASON)) {
        String file = name.substring(0, name.length() - REASON.length());
        times.put(file, errors.changed(name));
      } else if (!name.startsWith(".")) {
        times.putIfAbsent(name, Instant.MIN);
      }
    }
    List<String> oldest =
        times.entrySet().stream()
            .sorted(Map.Entry.comparingByValue())
            .limit(Math.max(0, times.size() - MAX_KEPT))
            .map(Map.Entry::getKey)
            .toList();
    for (String file : oldest) {
      errors.forget(file);
      errors.forget(file + REASON);
    }
    return oldest.size();
  }
}
