package dev.midcourse.gateway.record;

import dev.midcourse.core.id.SteerId;
import dev.midcourse.gateway.read.PresentSteer;
import dev.midcourse.gateway.read.ReadRequest;
import dev.midcourse.gateway.read.RequestClass;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Numbers the requests of an attempt and writes its records, one after the other. A gateway that is
 * started again goes on with the numbers of the file.
 */
final class AttemptRecords {
  private static final System.Logger LOG = System.getLogger(AttemptRecords.class.getName());

  private final RecordFile file;
  private final SerialExecutor tasks = new SerialExecutor();

  /** Guards the fields below and the order of the lines. */
  private final ReentrantLock lock = new ReentrantLock();

  private long requests;
  private long mainRequests;
  private Set<SteerId> inLastMain = Set.of();

  private AttemptRecords(RecordFile file) {
    this.file = file;
  }

  static AttemptRecords open(RecordFile file) throws IOException {
    AttemptRecords records = new AttemptRecords(file);
    for (GatewayRecord record : file.read()) {
      records.requests = Math.max(records.requests, record.number());
      if (record instanceof RequestRecord request) {
        request.main().ifPresent(n -> records.mainRequests = Math.max(records.mainRequests, n));
        if (request.kind() == RequestClass.MAIN && !request.partial()) {
          records.inLastMain = steers(request.steers());
        }
      }
    }
    file.repair();
    return records;
  }

  /** Runs a task after all earlier ones of the attempt. */
  void execute(Runnable task) {
    tasks.execute(task);
  }

  long nextNumber() {
    lock.lock();
    try {
      return ++requests;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The place of a request among the main ones.
   *
   * @param missing the steers that the main request before had and this one has not
   */
  record MainPlace(OptionalLong number, List<SteerId> missing) {}

  /** Counts a request that has been read. */
  MainPlace place(ReadRequest request) {
    if (request.kind() != RequestClass.MAIN) {
      return new MainPlace(OptionalLong.empty(), List.of());
    }
    lock.lock();
    try {
      mainRequests++;
      Set<SteerId> now = steers(request.steers());
      List<SteerId> missing =
          request.partial()
              ? List.of()
              : inLastMain.stream().filter(steer -> !now.contains(steer)).toList();
      inLastMain = request.partial() ? union(inLastMain, now) : now;
      return new MainPlace(OptionalLong.of(mainRequests), missing);
    } finally {
      lock.unlock();
    }
  }

  private static Set<SteerId> steers(List<PresentSteer> present) {
    return present.stream().map(PresentSteer::steer).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<SteerId> union(Set<SteerId> some, Set<SteerId> more) {
    Set<SteerId> all = new HashSet<>(some);
    all.addAll(more);
    return Set.copyOf(all);
  }

  /** Appends a record. A disk that fails loses the record; the request itself is passed on. */
  void append(GatewayRecord record) {
    lock.lock();
    try {
      file.append(record);
    } catch (IOException failure) {
      LOG.log(
          Level.WARNING,
          "The record of request {0} could not be written ({1}); it proves nothing now.",
          record.number(),
          failure.getMessage());
    } finally {
      lock.unlock();
    }
  }
}
