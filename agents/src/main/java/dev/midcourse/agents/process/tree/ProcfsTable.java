package dev.midcourse.agents.process.tree;

import dev.midcourse.agents.process.attempt.ProcStat;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.attempt.WrapperRecord;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The process table of Linux, read from {@code /proc}.
 *
 * <p>Full scans run on one platform thread, since reading the environment of a process that hangs
 * in the kernel can block. Callers that request a scan while another scan runs share the next one,
 * so ending fifty trees at the same time costs little more than ending one.
 */
public final class ProcfsTable implements ProcessTable {

  private static final byte[] MARK_ENTRY =
      (ProcessMarker.VARIABLE + "=").getBytes(StandardCharsets.UTF_8);

  private final Path proc;
  private final String boot;
  private final ExecutorService scanner =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("process-table").daemon().factory());

  /** Guards {@link #next}. */
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable Scan next;

  public ProcfsTable(Path proc) throws IOException {
    this.proc = proc;
    this.boot = Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
  }

  /** A scan that several callers wait for. */
  private static final class Scan {
    final CompletableFuture<List<ProcessEntry>> result = new CompletableFuture<>();
    long since = Long.MAX_VALUE;
  }

  @Override
  public List<ProcessEntry> entries(long since) throws InterruptedException {
    Scan scan = join(since);
    try {
      return scan.result.get();
    } catch (ExecutionException failure) {
      throw new IllegalStateException("the process table cannot be read", failure.getCause());
    }
  }

  private Scan join(long since) {
    lock.lock();
    try {
      Scan scan = next;
      if (scan == null) {
        scan = new Scan();
        next = scan;
        scanner.execute(this::runNext);
      }
      scan.since = Math.min(scan.since, since);
      return scan;
    } finally {
      lock.unlock();
    }
  }

  private void runNext() {
    Scan scan;
    long since;
    lock.lock();
    try {
      scan = next;
      next = null;
      if (scan == null) {
        return;
      }
      since = scan.since;
    } finally {
      lock.unlock();
    }
    try {
      scan.result.complete(scan(since));
    } catch (Throwable failure) {
      scan.result.completeExceptionally(failure);
    }
  }

  private List<ProcessEntry> scan(long since) {
    String[] names = new File(proc.toString()).list();
    if (names == null) {
      throw new IllegalStateException(proc + " cannot be listed");
    }
    List<ProcessEntry> entries = new ArrayList<>(names.length);
    for (String name : names) {
      if (Character.isDigit(name.charAt(0))) {
        read(Long.parseLong(name), since).ifPresent(entries::add);
      }
    }
    return entries;
  }

  @Override
  public Optional<ProcessEntry> entry(long pid) {
    return read(pid, 0);
  }

  @Override
  public Optional<ProcessEntry> entry(WrapperRecord wrapper) {
    if (!isOfThisBoot(wrapper)) {
      return Optional.empty();
    }
    return read(wrapper.pid(), 0).filter(found -> found.id().start() == wrapper.ticks());
  }

  @Override
  public boolean isAlive(ProcessId id) {
    return stat(id.pid())
        .filter(stat -> stat.start() == id.start())
        .filter(stat -> !stat.isZombie())
        .isPresent();
  }

  @Override
  public boolean readsMarks() {
    return true;
  }

  @Override
  public boolean isOfThisBoot(WrapperRecord wrapper) {
    return wrapper.boot().equals(boot) && wrapper.ticks() >= 0;
  }

  @Override
  public List<Long> children(long pid) {
    String[] threads = new File(proc + "/" + pid + "/task").list();
    if (threads == null) {
      return List.of();
    }
    List<Long> children = new ArrayList<>();
    for (String thread : threads) {
      byte[] text = contents(pid, "task/" + thread + "/children");
      StringTokenizer words = new StringTokenizer(new String(text, StandardCharsets.US_ASCII));
      while (words.hasMoreTokens()) {
        children.add(Long.parseLong(words.nextToken()));
      }
    }
    return children;
  }

  @Override
  public List<ProcessEntry> descendants(long pid) {
    List<ProcessEntry> found = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    ArrayDeque<Long> toFollow = new ArrayDeque<>(children(pid));
    while (!toFollow.isEmpty()) {
      long next = toFollow.remove();
      if (seen.add(next)) {
        read(next, Long.MAX_VALUE).ifPresent(found::add);
        toFollow.addAll(children(next));
      }
    }
    return found;
  }

  private Optional<ProcessEntry> read(long pid, long since) {
    return stat(pid).map(stat -> entry(pid, stat, since));
  }

  private Optional<ProcStat> stat(long pid) {
    byte[] line = contents(pid, "stat");
    return line.length == 0
        ? Optional.empty()
        : Optional.of(ProcStat.parse(new String(line, StandardCharsets.UTF_8).stripTrailing()));
  }

  private ProcessEntry entry(long pid, ProcStat stat, long since) {
    Optional<ProcessMarker> mark =
        stat.start() < since || stat.isZombie()
            ? Optional.empty()
            : markIn(contents(pid, "environ"));
    return new ProcessEntry(
        new ProcessId(pid, stat.start()),
        stat.parent(),
        stat.group(),
        stat.session(),
        stat.name(),
        stat.state(),
        stat.isZombie(),
        mark);
  }

  /**
   * Returns the content of a file of a process. Returns an empty array for a process that is gone,
   * belongs to another user, or has no content.
   */
  private byte[] contents(long pid, String file) {
    try (FileInputStream in = new FileInputStream(proc + "/" + pid + "/" + file)) {
      byte[] buffer = new byte[4096];
      int length = 0;
      for (int n = in.read(buffer); n > 0; n = in.read(buffer, length, buffer.length - length)) {
        length += n;
        if (length == buffer.length) {
          buffer = Arrays.copyOf(buffer, buffer.length * 4);
        }
      }
      return Arrays.copyOf(buffer, length);
    } catch (IOException goneOrForbidden) {
      return new byte[0];
    }
  }

  /** Returns the value of the entry that is exactly {@code MIDCOURSE_MARK=...}. */
  static Optional<ProcessMarker> markIn(byte[] environ) {
    int at = 0;
    while (at < environ.length) {
      int end = at;
      while (end < environ.length && environ[end] != 0) {
        end++;
      }
      int value = at + MARK_ENTRY.length;
      if (value <= end && Arrays.equals(environ, at, value, MARK_ENTRY, 0, MARK_ENTRY.length)) {
        String token = new String(environ, value, end - value, StandardCharsets.UTF_8);
        return ProcessMarker.isWellFormed(token)
            ? Optional.of(new ProcessMarker(token))
            : Optional.empty();
      }
      at = end + 1;
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    scanner.shutdown();
  }
}
