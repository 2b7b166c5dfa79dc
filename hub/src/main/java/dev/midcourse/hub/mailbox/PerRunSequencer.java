package dev.midcourse.hub.mailbox;

import dev.midcourse.hub.mailbox.InboxMessages.InboxMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Runs tasks about the same run one after the other, and others concurrently. Steers of a run do
 * not wait for each other: they are stored in the order in which they were submitted. For one
 * thread.
 */
final class PerRunSequencer {
  private final Map<String, Last> lasts = new ConcurrentHashMap<>();
  private final Executor later = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * The end of all tasks about one name.
   *
   * @param onlySteers whether all of them are steers
   */
  private record Last(CompletableFuture<Void> end, boolean onlySteers) {}

  /** Returns whether a steer of this run has to wait for other tasks. */
  boolean waits(String run) {
    return !Optional.ofNullable(lasts.get(run)).map(Last::onlySteers).orElse(true);
  }

  /** Starts a steer, at once if only steers of its run are ahead of it. */
  CompletableFuture<InboxMessage> steer(
      String run, Supplier<CompletableFuture<InboxMessage>> work) {
    boolean waits = waits(run);
    CompletableFuture<InboxMessage> message =
        waits ? ended(List.of(run)).thenComposeAsync(_ -> work.get(), later) : work.get();
    comesLast(run, message, !waits);
    return message;
  }

  /** Runs the work after all earlier tasks about any of these names. */
  CompletableFuture<InboxMessage> after(List<String> about, Supplier<InboxMessage> work) {
    CompletableFuture<InboxMessage> message = ended(about).thenApplyAsync(_ -> work.get(), later);
    about.forEach(what -> comesLast(what, message, false));
    return message;
  }

  private CompletableFuture<Void> ended(List<String> about) {
    return CompletableFuture.allOf(
        about.stream()
            .flatMap(what -> Optional.ofNullable(lasts.get(what)).stream())
            .map(Last::end)
            .toArray(CompletableFuture<?>[]::new));
  }

  private void comesLast(String what, CompletableFuture<InboxMessage> message, boolean onlySteers) {
    CompletableFuture<Void> own = message.handle((_, _) -> null);
    Last last = new Last(CompletableFuture.allOf(ended(List.of(what)), own), onlySteers);
    lasts.put(what, last);
    var _ = last.end().whenComplete((_, _) -> lasts.remove(what, last));
  }
}
