package dev.midcourse.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.agent.AgentEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A listener that keeps all batches and fails if two are delivered at once. */
public final class RecordingListener implements AgentListener {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final List<AgentEventBatch> batches = new ArrayList<>();
  private final AtomicInteger speakers = new AtomicInteger();
  private boolean talkedOver;

  @Override
  public void onEvents(AgentEventBatch more) {
    boolean alone = speakers.incrementAndGet() == 1;
    synchronized (batches) {
      talkedOver |= !alone;
      batches.add(more);
    }
    speakers.decrementAndGet();
  }

  public List<AgentEvent> events() {
    synchronized (batches) {
      assertThat(talkedOver).as("two threads spoke at once").isFalse();
      return batches.stream().flatMap(more -> more.events().stream()).toList();
    }
  }

  public List<AgentEventBatch> all() {
    synchronized (batches) {
      return List.copyOf(batches);
    }
  }

  public <T extends AgentEvent> List<T> all(Class<T> type) {
    return events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  public <T extends AgentEvent> T await(Class<T> type) {
    return await(type, _ -> true);
  }

  /** The first event like this, waiting for it if need be. */
  public <T extends AgentEvent> T await(Class<T> type, Predicate<T> like) {
    return await(type, like, 1);
  }

  /** The n-th event like this. */
  public <T extends AgentEvent> T await(Class<T> type, Predicate<T> like, int nth) {
    Awaitility.await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(() ->
            assertThat(all(type).stream().filter(like).count())
                .as("%s in %s", type.getSimpleName(), events())
                .isGreaterThanOrEqualTo(nth));
    return all(type).stream().filter(like).toList().get(nth - 1);
  }
}
