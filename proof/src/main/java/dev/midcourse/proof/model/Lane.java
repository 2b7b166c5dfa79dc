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
 * One agent's way to the model: an address of its own, a script of its own and a record of its own,
 * so that agents that run at the same time do not mix. Any thread may use it.
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

  /** Guards {@code playback}, and keeps the order of steps the order of the record. */
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

  /** The base address for agents that speak Anthropic Messages or Gemini. */
  public URI url() {
    return url;
  }

  /** The base address for agents that speak OpenAI Responses or Chat Completions. */
  public URI openAiUrl() {
    return URI.create(url + "/v1");
  }

  /** Takes requests without tools for the conversation too, for clients that never offer any. */
  public Lane withoutSideCalls() {
    isAside = request -> false;
    return this;
  }

  /** Begins another script; what is left of the one before is dropped. */
  public void play(Script script) {
    lock.lock();
    try {
      playback = new Playback(script);
    } finally {
      lock.unlock();
    }
  }

  /** Adds steps behind those that are left. */
  public void then(Step... steps) {
    lock.lock();
    try {
      playback.add(List.of(steps));
    } finally {
      lock.unlock();
    }
  }

  /** How many steps of the script no request has taken yet. */
  public int stepsLeft() {
    lock.lock();
    try {
      return playback.stepsLeft();
    } finally {
      lock.unlock();
    }
  }

  /** The requests of the conversation so far. */
  public Requests requests() {
    return conversation.snapshot();
  }

  /** The calls the agent made for itself: titles, suggestions, checks. */
  public Requests sideRequests() {
    return aside.snapshot();
  }

  /** Method and path of every call that no wire format knows. */
  public List<String> strays() {
    return List.copyOf(strays);
  }

  /** Answers requests in spite of faults that have these words: its agent is known for them. */
  public Lane bearing(String words) {
    borne.add(words);
    return this;
  }

  List<String> notBorne(List<String> faults) {
    return faults.stream().filter(fault -> borne.stream().noneMatch(fault::contains)).toList();
  }

  /** What was wrong with requests that were refused for their shape; each is told once. */
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

  /** Waits for the first request whose conversation has these words. */
  public RecordedRequest awaitContaining(String words, Duration atMost)
      throws InterruptedException {
    return conversation.await(
        "request with \"" + words + "\"",
        atMost,
        requests -> requests.all().stream().filter(request -> request.contains(words)).findFirst());
  }

  /** Records a request and gives the step that answers it. */
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

  /** A recorded request whose answer is still to be played. */
  record Taken(Journal journal, int number, Step step) {
    void settle(RecordedRequest.Outcome outcome) {
      journal.settle(number, outcome);
    }
  }
}
