package dev.midcourse.proof.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends steers to random runs over HTTP, at a fixed rate whatever the answers do, so that a stall
 * is not hidden by callers that wait.
 */
final class OpenLoop implements AutoCloseable {
  private static final int CONNECTIONS = 64;

  private final BlockingQueue<HubCaller> callers = new LinkedBlockingQueue<>();
  private final Random random = new Random(7);
  private final int runs;

  /** When a steer was due and when its answer was there, as {@link System#nanoTime}. */
  record Times(long due, long answered) {}

  OpenLoop(BenchHub house, int runs) throws IOException {
    this.runs = runs;
    for (int i = 0; i < CONNECTIONS; i++) {
      callers.add(house.caller());
    }
  }

  /** By the id of the steer. */
  Map<String, Times> send(int count, int perSecond) throws InterruptedException {
    return send(count, perSecond, "");
  }

  /** The same with a query, such as one that makes the answer wait. */
  Map<String, Times> send(int count, int perSecond, String query) throws InterruptedException {
    Map<String, Times> times = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + TimeUnit.SECONDS.toNanos(i) / perSecond;
      String path = "/runs/busy-" + random.nextInt(runs) + "/steers" + query;
      String body = "{\"text\":\"remark " + i + "\"}";
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      threads.add(
          Thread.startVirtualThread(() -> {
            String id = HubCaller.field(post(path, body), "steer_id");
            times.put(id, new Times(due, System.nanoTime()));
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (times.size() < count) {
      throw new IllegalStateException((count - times.size()) + " steers were not answered");
    }
    return times;
  }

  private String post(String path, String body) {
    try {
      HubCaller caller = callers.take();
      String answer = caller.post(path, body);
      callers.add(caller);
      return answer;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (HubCaller caller : callers) {
      caller.close();
    }
  }
}
