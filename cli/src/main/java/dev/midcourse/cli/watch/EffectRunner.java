package dev.midcourse.cli.watch;

import dev.midcourse.cli.client.AnswerRequest;
import dev.midcourse.cli.client.EventFeed;
import dev.midcourse.cli.client.HubClient;
import dev.midcourse.cli.client.IdempotencyKeys;
import dev.midcourse.cli.client.LoopInfo;
import dev.midcourse.cli.client.OpenQuestions;
import dev.midcourse.cli.client.ReceiptInfo;
import dev.midcourse.cli.client.RunInfo;
import dev.midcourse.cli.client.RunPages;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.net.HttpRequest;
import dev.midcourse.cli.watch.model.ApprovalRequest;
import dev.midcourse.cli.watch.model.Effect;
import dev.midcourse.cli.watch.model.Message;
import dev.midcourse.cli.watch.model.Model;
import dev.midcourse.cli.watch.model.RunSelection;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.run.AskAnswer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Executes the effects of the model against the hub, one after the other, and receives all events.
 * Runs outside the thread that draws. Each result and each event becomes a message.
 */
final class EffectRunner implements AutoCloseable {
  private static final int PAGE_OF_EVENTS = 1000;
  private static final int MAX_ENDED_LOOPS = 20;
  private static final Duration RESEND = Duration.ofSeconds(20);
  private static final String OPEN_STATES = "&state=queued,running,review_requested";
  private static final String FAILED = "&state=failed,failed_contract,failed_timeout";

  private final HubClient hub;
  private final Consumer<Message> tell;
  private final EventFeed feed;
  private final List<Thread> threads = new ArrayList<>();

  /** Guarded by itself. */
  private final Deque<Effect> requests = new ArrayDeque<>();

  private EffectRunner(HubClient hub, EventFeed feed, Consumer<Message> tell) {
    this.hub = hub;
    this.feed = feed;
    this.tell = tell;
  }

  /** Opens the event feed before the runs are loaded, so that no event is missed. */
  static EffectRunner open(HubClient hub, Consumer<Message> tell) {
    EventFeed feed =
        EventFeed.ofAll(
            hub,
            new EventFeed.Absence() {
              @Override
              public void begins() {
                tell.accept(new Message.Absence(true));
              }

              @Override
              public void ends() {
                tell.accept(new Message.Absence(false));
              }
            });
    EffectRunner side = new EffectRunner(hub, feed, tell);
    side.start("midcourse-listener", side::listen);
    side.start("midcourse-effects", side::grant);
    side.submit(new Effect.LoadRuns());
    return side;
  }

  private interface HubRequest {
    void run() throws InterruptedException;
  }

  private void start(String name, HubRequest work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException closed) {
                // The view was closed.
              }
            },
            name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /**
   * Queues an effect. A load that is already queued is not queued again, and a new LoadStory
   * replaces the queued ones.
   */
  void submit(Effect effect) {
    synchronized (requests) {
      if (effect instanceof Effect.Load && requests.contains(effect)) {
        return;
      }
      if (effect instanceof Effect.LoadStory) {
        requests.removeIf(Effect.LoadStory.class::isInstance);
      }
      requests.add(effect);
      requests.notifyAll();
    }
  }

  private Effect next() throws InterruptedException {
    synchronized (requests) {
      while (requests.isEmpty()) {
        requests.wait();
      }
      return requests.removeFirst();
    }
  }

  private void listen() throws InterruptedException {
    try {
      Optional<JsonValue.Obj> event = feed.next();
      while (event.isPresent()) {
        tell.accept(new Message.Happened(event.get()));
        event = feed.next();
      }
    } catch (Failure e) {
      tell.accept(new Message.Trouble("event stream failed: " + e.what()));
    }
  }

  private void grant() throws InterruptedException {
    while (true) {
      Effect effect = next();
      try {
        granted(effect).ifPresent(tell);
      } catch (Failure e) {
        String remedy = e.remedy().isBlank() ? "" : " (" + e.remedy() + ")";
        tell.accept(new Message.Trouble(e.what() + remedy));
      }
    }
  }

  private Optional<Message> granted(Effect effect) throws InterruptedException {
    return switch (effect) {
      case Effect.Load load -> Optional.of(loaded(load));
      case Effect.Act act -> Optional.of(done(act));
      case Effect.Write _, Effect.Redraw _, Effect.Leave _ -> Optional.empty(); // done by WatchLoop
    };
  }

  private Message loaded(Effect.Load submit) {
    return switch (submit) {
      case Effect.LoadRuns() -> {
        RunSelection shortlist = shortlist();
        yield new Message.Runs(shortlist.runs(), shortlist.more());
      }
      case Effect.LoadRun(String run) -> new Message.Run(new RunInfo(hub.get(path(run))));
      case Effect.LoadStory(String run) -> new Message.Story(run, events(run));
      case Effect.LoadInbox(String run) ->
          new Message.Inbox(
              run,
              hub.get(path(run) + "/steers").objects("steers").stream()
                  .map(ReceiptInfo::new)
                  .toList());
      case Effect.LoadAsks(String run) -> new Message.Asks(run, OpenQuestions.open(hub, run));
      case Effect.LoadLoops() -> new Message.Loops(loops());
      case Effect.LoadApprovals() ->
          new Message.Approvals(
              hub.get("/approvals").objects("approvals").stream()
                  .map(ApprovalRequest::of)
                  .toList());
    };
  }

  private Message done(Effect.Act submit) throws InterruptedException {
    return switch (submit) {
      case Effect.Steer(String run, String mode, String text) -> {
        JsonValue.Obj request =
            JsonValue.Obj.EMPTY
                .with("text", text)
                .with("mode", mode)
                .with("key", IdempotencyKeys.random());
        JsonValue.Obj receipt = hub.postWithKey(path(run) + "/steers", request, RESEND);
        yield new Message.Sent(new ReceiptInfo(receipt));
      }
      case Effect.Stop(String run) ->
          new Message.Run(new RunInfo(hub.post(path(run) + "/stop", JsonValue.Obj.EMPTY)));
      case Effect.Dismiss(String run) -> {
        hub.post(path(run) + "/dismiss", JsonValue.Obj.EMPTY);
        yield new Message.Done(run + ": alarm dismissed");
      }
      case Effect.Restart(String run, Optional<String> prompt) -> {
        hub.post(path(run) + "/restart", JsonValue.Obj.EMPTY.with("prompt", prompt));
        yield new Message.Done(
            run + " restarted" + (prompt.isPresent() ? " with a new prompt" : ""));
      }
      case Effect.Answer(String run, String ask, AskAnswer answer) -> {
        hub.post(path(run) + "/asks/" + HttpRequest.encoded(ask), AnswerRequest.of(answer));
        yield new Message.Done(run + " answered: " + answer.text());
      }
      case Effect.Decide(String approval, String decision, Optional<String> worker) -> {
        JsonValue.Obj decided =
            hub.post(
                "/approvals/" + HttpRequest.encoded(approval),
                JsonValue.Obj.EMPTY.with("decision", decision).with("worker", worker));
        String words = decided.text("words").orElse("");
        yield decided.is("counted") ? new Message.Done(words) : new Message.Trouble(words);
      }
      case Effect.SteerLoop(String loop, String scope, String text) ->
          new Message.Done(
              steered(
                  hub.postWithKey(
                      loopPath(loop) + "/steers",
                      JsonValue.Obj.EMPTY
                          .with("text", text)
                          .with("scope", scope)
                          .with("key", IdempotencyKeys.random()),
                      RESEND)));
      case Effect.OrderLoop(String loop, String order) ->
          phase(hub.post(loopPath(loop) + "/" + order, JsonValue.Obj.EMPTY));
      case Effect.GoOn(String loop, int moreFixes) ->
          phase(hub.post(loopPath(loop) + "/go", JsonValue.Obj.EMPTY.with("fixes", moreFixes)));
      case Effect.RewordLoop(String loop, String prompt) ->
          phase(hub.post(loopPath(loop) + "/restart", JsonValue.Obj.EMPTY.with("prompt", prompt)));
      case Effect.DecideFinding(String loop, String finding, String decision, String why) -> {
        JsonValue.Obj request = JsonValue.Obj.EMPTY.with("decision", decision);
        hub.post(
            loopPath(loop) + "/findings/" + HttpRequest.encoded(finding),
            why.isEmpty() ? request : request.with("why", why));
        yield new Message.Done(finding + ": " + decision);
      }
      case Effect.OpenLink(String url) -> new Message.Done(LinkOpener.open(url));
      case Effect.Withdraw(String steer) ->
          changed("withdrawn", hub.post(steerPath(steer) + "/withdraw", JsonValue.Obj.EMPTY));
      case Effect.Promote(String steer) ->
          changed("promoted", hub.post(steerPath(steer) + "/promote", JsonValue.Obj.EMPTY));
      case Effect.Edit(String steer, String text) ->
          changed("edited", hub.patch(steerPath(steer), JsonValue.Obj.EMPTY.with("text", text)));
    };
  }

  /** The loops that need a person first, then those that go on, then the newest that ended. */
  private List<LoopInfo> loops() {
    List<LoopInfo> all =
        hub.get("/loops?all=true").objects("loops").stream().map(LoopInfo::new).toList();
    List<LoopInfo> sorted = new ArrayList<>();
    all.stream().filter(LoopInfo::needsPerson).forEach(sorted::add);
    all.stream().filter(it -> !it.hasEnded() && !it.needsPerson()).forEach(sorted::add);
    all.stream().filter(LoopInfo::hasEnded).limit(MAX_ENDED_LOOPS).forEach(sorted::add);
    return sorted;
  }

  private static String steered(JsonValue.Obj loop) {
    List<JsonValue.Obj> steers = loop.objects("steers");
    return "steer " + (steers.isEmpty() ? "stored" : steers.getLast().text("state").orElse(""));
  }

  private static Message phase(JsonValue.Obj loop) {
    LoopInfo now = new LoopInfo(loop);
    return new Message.Done(now.id() + " is " + now.phase());
  }

  private static String loopPath(String loop) {
    return "/loops/" + HttpRequest.encoded(loop);
  }

  private static Message changed(String how, JsonValue.Obj receipt) {
    return new Message.Done("steer " + new ReceiptInfo(receipt).shortId() + " " + how);
  }

  /** Reads all runs that are not over, then the newest failed runs, then the newest of all runs. */
  private RunSelection shortlist() {
    RunSelection shortlist = new RunSelection();
    RunPages.each(hub, OPEN_STATES, Long.MAX_VALUE, shortlist::addNotOver);
    RunPages.each(hub, FAILED, Model.MAX_RUNS, shortlist::add);
    RunPages.each(hub, "", Model.MAX_RUNS, shortlist::add);
    return shortlist;
  }

  private List<JsonValue.Obj> events(String run) {
    Deque<JsonValue.Obj> events = new ArrayDeque<>();
    String after = "0";
    while (true) {
      JsonValue.Obj page =
          hub.get(path(run) + "/events?limit=" + PAGE_OF_EVENTS + "&after=" + after);
      List<JsonValue.Obj> more = page.objects("events");
      events.addAll(more);
      while (events.size() > Model.About.MAX_EVENTS) {
        events.removeFirst();
      }
      if (more.size() < PAGE_OF_EVENTS) {
        return List.copyOf(events);
      }
      after = page.text("next").orElse(after);
    }
  }

  private static String path(String run) {
    return "/runs/" + HttpRequest.encoded(run);
  }

  private static String steerPath(String steer) {
    return "/steers/" + HttpRequest.encoded(steer);
  }

  @Override
  public void close() {
    feed.close();
    threads.forEach(Thread::interrupt);
  }
}
