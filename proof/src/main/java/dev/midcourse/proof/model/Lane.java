package dev.midcourse.proof.model;

import dev.midcourse.proof.model.wire.ModelRequest;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The endpoint of one agent at the model: its own address, script and record, so that agents that
 * run at the same time do not mix. Thread-safe.
 */
public final class Lane {
  private static final int MAX_SHOWN = 4_000;

  private final String name;
  private final URI url;
  private final InstantSource clock;
  private final Journal conversation = new Journal();
  private final Journal aside = new Journal();
  private final List<String> borne = new CopyOnWriteArrayList<>();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final List<String> strays = new CopyOnWriteArrayList<>();

  /** Guards {@code playback}. The order of steps is the order of the record. */
  private final ReentrantLock lock = new ReentrantLock();

  private Playback playback;
  private volatile Predicate<ModelRequest> isAside = SideCalls::isOne;

  Lane(String name, URI url, Script script, InstantSource clock) {
    this.name = name;
    this.url = url;
    this.playback = new Playback(script);
    this.clock = clock;
  }

  public String name() {
    return name;
  }

  /** Returns the base address for agents that use Anthropic Messages or Gemini. */
  public URI url() {
    return url;
  }

  /** Returns the base address for agents that use OpenAI Responses or Chat Completions. */
  public URI openAiUrl() {
    return URI.create(url + "/v1");
  }

  /**
   * Treats requests without tools as part of the conversation, for clients that never offer tools.
   */
  public Lane withoutSideCalls() {
    isAside = request -> false;
    return this;
  }

  /** Starts another script; the remaining steps of the old script are dropped. */
  public void play(Script script) {
    lock.lock();
    try {
      playback = new Playback(script);
    } finally {
      lock.unlock();
    }
  }

  /** Adds steps after the remaining ones. */
  public void then(Step... steps) {
    lock.lock();
    try {
      playback.add(List.of(steps));
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many steps of the script are not taken by a request. */
  public int stepsLeft() {
    lock.lock();
    try {
      return playback.stepsLeft();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the requests of the conversation so far. */
  public Requests requests() {
    return conversation.snapshot();
  }

  /**
   * Returns the requests that the agent made beside the conversation: titles, suggestions, checks.
   */
  public Requests sideRequests() {
    return aside.snapshot();
  }

  /** Returns method and path of every call that no wire format knows. */
  public List<String> strays() {
    return List.copyOf(strays);
  }

  /** Answers requests although they have faults with this text, for agents with known faults. */
  public Lane bearing(String words) {
    borne.add(words);
    return this;
  }

  List<String> unexpected(List<String> faults) {
    return faults.stream().filter(fault -> borne.stream().noneMatch(fault::contains)).toList();
  }

  /** Returns the faults of requests that were refused for their shape; each is returned once. */
  public List<String> takeRefused() {
    var taken = new ArrayList<String>();
    for (var one = refused.poll(); one != null; one = refused.poll()) {
      taken.add(one);
    }
    return taken;
  }

  /** Waits until request number n of the conversation has arrived. */
  public RecordedRequest awaitRequest(int n, Duration atMost) throws InterruptedException {
    return conversation.await(
        "request " + n,
        atMost,
        requests -> requests.count() >= n ? Optional.of(requests.number(n)) : Optional.empty());
  }

  /** Waits until request number n of the conversation has arrived and its answer has ended. */
  public RecordedRequest awaitSettled(int n, Duration atMost) throws InterruptedException {
    return conversation.await(
        "end of the answer to request " + n,
        atMost,
        requests ->
            requests.count() >= n && requests.number(n).outcome() != RecordedRequest.Outcome.OPEN
                ? Optional.of(requests.number(n))
                : Optional.empty());
  }

  /** Waits for the first request whose conversation contains this text. */
  public RecordedRequest awaitContaining(String words, Duration atMost)
      throws InterruptedException {
    return conversation.await(
        "request with \"" + words + "\"",
        atMost,
        requests -> requests.all().stream().filter(request -> request.contains(words)).findFirst());
  }

  /** Records a request and returns the step that answers it. */
  Taken take(String body, ModelRequest request) {
    lock.lock();
    try {
      boolean side = isAside.test(request);
      var journal = side ? aside : conversation;
      var step = side ? SideCalls.answer(request) : playback.next(request);
      return new Taken(journal, journal.add(clock.instant(), body, request, step), step);
    } finally {
      lock.unlock();
    }
  }

  void refused(List<String> faults, String body) {
    refused.add(
        name
            + ": "
            + String.join("; ", faults)
            + "\n  "
            + body.substring(Math.max(0, body.length() - MAX_SHOWN)));
  }

  void stray(String call) {
    strays.add(call);
  }

  /** A recorded request whose answer is not complete. */
  record Taken(Journal journal, int number, Step step) {
    void settle(RecordedRequest.Outcome outcome) {
      journal.settle(number, outcome);
    }
  }
}
