package dev.midcourse.proof.crash.chat;

import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChannel;
import dev.midcourse.proof.crash.chat.DrillChats.DrillChat;
import dev.midcourse.proof.crash.hub.DrillProcesses;
import dev.midcourse.proof.crash.hub.DrillStore;
import dev.midcourse.proof.crash.hub.HubClasses;
import dev.midcourse.proof.crash.hub.HubProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets people write in chats while hubs end with SIGKILL at fault points. The platform delivers
 * every message and every click until a hub has acknowledged it, and some of them once more. Some
 * messages are replies, some wait for a debounce, some are of strangers whom an owner lets in. At
 * the end an independent checker decides. All random choices come from one seed.
 */
public final class ChatDrill {
  /** The time limit for a hub to reach its fault point. Then it is killed where it is. */
  private static final Duration UNTIL_FAULT = Duration.ofSeconds(20);

  private static final Duration MAX_FOR_ONE_KILL = Duration.ofSeconds(25);
  private static final Duration MAX_REST = Duration.ofMinutes(3);
  private static final Duration QUIET_INTERVAL = Duration.ofMillis(200);
  private static final int START_SECONDS = 60;
  private static final int MAX_PAUSE_MILLIS = 400;

  private final long seed;
  private final int rounds;
  private final List<ChatFaultPoint> points;
  private final Path folder;
  private final DrillStore store;
  private final Random random;
  private final HubClasses classes = HubClasses.asBuilt();
  private final DrillProcesses processes;
  private final WebhookSender sender = new WebhookSender();
  private final ConcurrentLinkedQueue<PersonMessage> written = new ConcurrentLinkedQueue<>();
  private final LinkedBlockingQueue<String> clicks = new LinkedBlockingQueue<>();
  private final Set<String> clicked = ConcurrentHashMap.newKeySet();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final Map<ChatFaultPoint, Integer> faults = new ConcurrentHashMap<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile boolean quiet;
  private volatile Optional<String> failure = Optional.empty();
  private Optional<ChatFaultPoint> tried = Optional.empty();
  private Optional<HubProcess> newest = Optional.empty();

  /** Creates a drill whose hubs end at each of these points so often. */
  public ChatDrill(
      long seed, int rounds, List<ChatFaultPoint> points, Path folder, DrillStore store) {
    this.seed = seed;
    this.rounds = rounds;
    this.points = List.copyOf(points);
    this.folder = folder;
    this.store = store;
    this.random = new Random(seed);
    this.processes = new DrillProcesses("drill-" + seed + "-");
  }

  /** Runs the drill. On every path it ends its processes, so that the next drill finds none. */
  public ChatFindings run() throws IOException, InterruptedException {
    try (Ledger ledger = store.open(folder)) {
      DrillChats.store(ledger);
    }
    List<Thread> people = new ArrayList<>();
    try (RecordingPlatform platform = new RecordingPlatform(this::see)) {
      for (DrillChat chat : DrillChat.values()) {
        people.add(Thread.startVirtualThread(() -> live(() -> write(chat))));
      }
      Thread clicker = Thread.startVirtualThread(() -> live(this::deliverClicks));
      int kills = kill(platform, people);
      clicker.interrupt();
      newest.orElseThrow().leave(30);
      return findings(kills, platform);
    } finally {
      over.set(true);
      sender.close();
      if (newest.isPresent()) {
        newest.get().kill();
      }
      processes.alive().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Kills hubs until each point has its kills; then lets the last hub finish everything. */
  private int kill(RecordingPlatform platform, List<Thread> people)
      throws IOException, InterruptedException {
    Instant deadline =
        Instant.now()
            .plus(MAX_REST)
            .plus(MAX_FOR_ONE_KILL.multipliedBy((long) rounds * points.size()));
    int kills = 0;
    for (Optional<ChatFaultPoint> point = missing(); point.isPresent(); point = missing()) {
      HubProcess hub = start(platform, fault(point.get()));
      long until = System.nanoTime() + UNTIL_FAULT.toNanos();
      while (hub.alive() && System.nanoTime() < until) {
        Thread.sleep(10);
      }
      sender.use(0);
      hub.kill();
      kills++;
      if (Instant.now().isAfter(deadline) || failure.isPresent()) {
        throw new IllegalStateException(
            "the drill does not come to its end: " + missing() + failure.orElse("") + output());
      }
    }
    over.set(true);
    HubProcess last = start(platform, "none");
    for (Thread person : people) {
      if (!person.join(MAX_REST)) {
        throw new IllegalStateException(
            "a message is not acknowledged; "
                + failure.orElse("")
                + output()
                + "; "
                + last.condition());
      }
    }
    awaitQuiet(last, deadline);
    return kills;
  }

  private void awaitQuiet(HubProcess hub, Instant deadline)
      throws IOException, InterruptedException {
    while (!quiet || !clicks.isEmpty()) {
      if (Instant.now().isAfter(deadline) || !hub.alive()) {
        return; // the checker says what is missing
      }
      hub.say("quiet");
      Thread.sleep(QUIET_INTERVAL);
    }
  }

  private Optional<ChatFaultPoint> missing() {
    return points.stream()
        .filter(point -> times(point) < rounds)
        .min(Comparator.comparingInt(this::times));
  }

  private int times(ChatFaultPoint point) {
    return faults.getOrDefault(point, 0);
  }

  private String fault(ChatFaultPoint point) {
    int time = tried.equals(Optional.of(point)) ? 1 : 1 + random.nextInt(point.maxTimes());
    tried = Optional.of(point);
    return point.word() + ":" + time;
  }

  private HubProcess start(RecordingPlatform platform, String fault)
      throws IOException, InterruptedException {
    HubProcess hub =
        HubProcess.start(
            classes,
            folder,
            ChatHub.class,
            List.of(folder.toString(), store.word(), fault, platform.url().toString()),
            this::receive);
    newest = Optional.of(hub);
    if (!hub.awaitReady(START_SECONDS)) {
      throw new IllegalStateException("the hub does not start" + output());
    }
    return hub;
  }

  private String output() throws IOException {
    String all = Files.readString(folder.resolve(HubProcess.COMPLAINTS));
    return "; hubs said last: " + all.substring(Math.max(0, all.length() - 4_000));
  }

  /** Handles one line of a hub. */
  private void receive(String line) {
    List<String> words = HubProcess.words(line);
    switch (words.getFirst()) {
      case "ready" -> sender.use(Integer.parseInt(words.get(1)));
      case "fault" -> faults.merge(ChatFaultPoint.of(words.get(1)), 1, Integer::sum);
      case "quiet" -> quiet = Boolean.parseBoolean(words.get(1));
      default -> {}
    }
  }

  // People

  private interface Deed {
    void run() throws InterruptedException;
  }

  private void live(Deed deed) {
    try {
      deed.run();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = Optional.of("a person failed: " + e);
    }
  }

  /** Writes in one chat, a message after the acknowledgement of the one before. */
  private void write(DrillChat chat) throws InterruptedException {
    Random own = new Random(seed + chat.name().hashCode());
    for (int number = 1; !over.get(); number++) {
      PersonMessage message = message(chat, number, own);
      written.add(message);
      sender.deliver(chat.channel(), message.body());
      if (own.nextInt(8) == 0) {
        sender.deliver(chat.channel(), message.body());
      }
      Thread.sleep(own.nextBoolean() ? own.nextInt(MAX_PAUSE_MILLIS) : 1);
      // A message waits only if no run of its conversation is live.
      while (chat == DrillChat.DEBOUNCED && number % 3 == 0 && !isDone(message) && !over.get()) {
        Thread.sleep(20);
      }
    }
  }

  private PersonMessage message(DrillChat chat, int number, Random own) {
    boolean stranger = chat == DrillChat.STRANGERS;
    boolean replies = number > 1 && !stranger && own.nextInt(3) > 0;
    String text =
        "drill %d %s\n$ sleep 0.0%d\nthank you"
            .formatted(seed, PersonMessage.remark(chat, number), 1 + own.nextInt(9));
    return new PersonMessage(
        chat,
        number,
        stranger ? "stranger-" + number : chat.member(),
        text,
        replies ? Optional.of(chat.platformId() + "-" + (number - 1)) : Optional.empty());
  }

  private boolean isDone(PersonMessage message) {
    return done.contains(message.id());
  }

  /** Looks at a request of a hub. The owner clicks on the first button of each card, once. */
  private void see(RecordingPlatform.Post post) {
    if (post.body().string("status").equals(Optional.of("done"))) {
      done.add(post.body().string("message_id").orElseThrow());
    }
    if (post.type().equals("card") && clicked.add(post.key())) {
      String button = post.body().objects("buttons").getFirst().string("id").orElseThrow();
      clicks.add(
          JsonWriter.compact(
              JsonValue.Obj.EMPTY
                  .with("type", "click")
                  .with("update_id", "click-" + post.key())
                  .with("message_id", "p-" + post.key())
                  .with(
                      "chat",
                      JsonValue.Obj.EMPTY.with("id", DrillChats.OWNER_CHAT).with("kind", "direct"))
                  .with("sender", JsonValue.Obj.EMPTY.with("id", DrillChats.OWNER))
                  .with("button", button)));
    }
  }

  private void deliverClicks() throws InterruptedException {
    while (true) {
      String click = clicks.take();
      sender.deliver(DrillChannel.KEYED, click);
      if (click.hashCode() % 4 == 0) {
        sender.deliver(DrillChannel.KEYED, click);
      }
    }
  }

  private ChatFindings findings(int kills, RecordingPlatform platform) throws IOException {
    try (Ledger ledger = store.open(folder)) {
      return new ChatFindings(
          seed,
          kills,
          new EnumMap<>(faults),
          written.size(),
          new ChatChecker(ledger, folder, List.copyOf(written), platform.posts()).check(),
          new HashSet<>(processes.alive()).stream().map(ProcessHandle::toString).toList());
    }
  }
}
