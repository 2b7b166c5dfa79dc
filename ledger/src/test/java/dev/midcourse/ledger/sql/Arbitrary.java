package dev.midcourse.ledger.sql;

import dev.midcourse.core.agent.AgentEvent.AskKind;
import dev.midcourse.core.agent.AgentEvent.TurnEnd;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import dev.midcourse.core.agent.Usage;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.core.id.GroupName;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.Ids;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SessionId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.WorkerName;
import dev.midcourse.core.run.Ask;
import dev.midcourse.core.run.Attempt;
import dev.midcourse.core.run.IdlePeriod;
import dev.midcourse.core.run.Lease;
import dev.midcourse.core.run.Need;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.run.RunSpec;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.run.TurnPurpose;
import dev.midcourse.core.run.TurnRecord;
import dev.midcourse.core.steer.Author;
import dev.midcourse.core.steer.OnUnsupported;
import dev.midcourse.core.steer.PendingPolicy;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.Steer.RungClaim;
import dev.midcourse.core.steer.Steer.SteerEnding;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.core.watch.Progress;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Records with anything in them that their rules allow, from a seed that can be used again. */
final class Arbitrary {
  private static final List<String> HOSTILE =
      List.of(
          "plain",
          "quotes ' \" ` and \\ back",
          "lines\none\r\ntwo\ttab",
          "emoji 👩‍👩‍👧 🚀 and ẞ ﷽ عربى 漢字",
          "'; DROP TABLE runs; --",
          "{\"json\": [1, null]}",
          " leading and trailing ",
          "\u0001\u001b[31mred\u001b[0m\u0085\u2028",
          "\uD83D\uDE00".repeat(500),
          "x".repeat(64 * 1024 - 1),
          "%_?:1 $1 @x");

  private static final String[] NEEDS = {
    "asks permission",
    "asks question",
    "review",
    "quiet",
    "failed contract",
    "timed out",
    "failed",
    "a need of a newer version"
  };

  private final Random random;
  private final Ids ids;

  Arbitrary(long seed) {
    random = new Random(seed);
    ids = new Ids(random);
  }

  /** A seed of the moment, printed so that a failure can be seen again. */
  static Arbitrary seeded() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed " + seed + " (again: -Dseed=" + seed + ")");
    return new Arbitrary(seed);
  }

  Run run() {
    return run(ids.run("any"));
  }

  Run run(RunId id) {
    return new Run(
        id,
        spec(),
        one(RunState.values()),
        random.nextInt(9),
        random.nextInt(9),
        maybe(this::time),
        random.nextInt(99),
        maybe(this::session),
        maybe(() -> new Lease(HostName.of("host-" + random.nextInt(9)), time())),
        random.nextBoolean(),
        random.nextBoolean(),
        maybe(this::progress),
        maybe(() -> Need.parse(one(NEEDS))),
        0,
        spent(),
        time(),
        maybe(this::time),
        maybe(this::time),
        maybe(this::text),
        maybe(() -> new IdlePeriod(time(), time())),
        Duration.ofNanos(random.nextLong(1L << 40)));
  }

  RunSpec spec() {
    return new RunSpec(
        text(),
        AgentName.of("agent-" + random.nextInt(9)),
        WorkerName.of("worker-" + random.nextInt(3)),
        "/somewhere/" + text(),
        author(),
        one(PendingPolicy.values()),
        1 + random.nextInt(100),
        maybe(this::session),
        maybe(() -> ids.run("parent")),
        maybe(this::text),
        maybe(() -> Duration.ofNanos(1 + random.nextLong(1L << 40))));
  }

  Steer steer(RunId run, long seq) {
    return new Steer(
        ids.steer(),
        run,
        seq,
        author(),
        one(SteerMode.values()),
        maybe(() -> one(SteerMode.values())),
        one(OnUnsupported.values()),
        SteerText.of(text()),
        random.nextInt(4),
        maybe(this::key),
        maybe(this::text),
        maybe(() -> random.nextInt(50)),
        maybe(this::time),
        maybe(ids::steer),
        random.nextInt(3),
        rungs(),
        maybe(this::text),
        maybe(() -> new SteerEnding(one(SteerEnd.values()), time(), text())));
  }

  Attempt attempt(RunId run, int number) {
    return new Attempt(
        run,
        number,
        HostName.of("host-" + random.nextInt(9)),
        ids.token(20),
        random.nextBoolean(),
        maybe(this::text),
        maybe(this::capabilities),
        random.nextInt(),
        random.nextLong(Long.MAX_VALUE),
        text(),
        time(),
        maybe(this::time),
        maybe(this::text));
  }

  TurnRecord turn(RunId run, int number) {
    return new TurnRecord(
        run,
        number,
        random.nextInt(9),
        one(TurnPurpose.values()),
        text(),
        List.of(new Ids(random).steer(), new Ids(random).steer()),
        random.nextBoolean(),
        time(),
        maybe(this::time),
        maybe(() -> one(TurnEnd.values())),
        maybe(this::text));
  }

  Ask ask(RunId run, String id) {
    return new Ask(
        run,
        random.nextInt(9),
        id,
        one(AskKind.values()),
        text(),
        text(),
        time(),
        maybe(this::text),
        maybe(this::time));
  }

  /** Any value of the type, by its shape. */
  Object any(Type type) {
    return switch (type) {
      case ParameterizedType of when of.getRawType() == Optional.class ->
          maybe(() -> any(of.getActualTypeArguments()[0]));
      case ParameterizedType of when of.getRawType() == List.class ->
          List.of(any(of.getActualTypeArguments()[0]), any(of.getActualTypeArguments()[0]));
      case Class<?> known when known == String.class -> text();
      case Class<?> known when known == int.class || known == Integer.class -> random.nextInt();
      case Class<?> known when known == long.class || known == Long.class -> random.nextLong();
      case Class<?> known when known == boolean.class -> random.nextBoolean();
      case Class<?> known when known == Instant.class -> time();
      case Class<?> known when known == Duration.class ->
          Duration.ofMillis(random.nextLong(10_000_000_000L));
      case Class<?> known when known == Author.class -> author();
      case Class<?> known when known == SteerId.class -> ids.steer();
      case Class<?> known when known == SessionId.class -> session();
      case Class<?> known when known == AgentName.class -> AgentName.of("agent-x");
      case Class<?> known when known == WorkerName.class -> WorkerName.of("worker-x");
      case Class<?> known when known.isEnum() -> one(known.getEnumConstants());
      case Class<?> known when known.isRecord() -> record(known);
      default -> throw new IllegalArgumentException("no generator for " + type);
    };
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    try {
      Constructor<?> made =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return made.newInstance(
          Arrays.stream(components).map(c -> any(c.getGenericType())).toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  Author author() {
    return new Author(GroupName.of("group-" + random.nextInt(5)), "door:" + random.nextInt(5));
  }

  SteerId steerId() {
    return ids.steer();
  }

  IdempotencyKey key() {
    return IdempotencyKey.of("key-" + ids.token(16));
  }

  Instant time() {
    return Instant.ofEpochSecond(
        1_700_000_000L + random.nextInt(200_000_000), random.nextInt(1_000_000_000));
  }

  String text() {
    return one(HOSTILE.toArray(String[]::new));
  }

  private Capabilities capabilities() {
    return new Capabilities(
        Arrays.stream(Capability.values())
            .filter(_ -> random.nextBoolean())
            .collect(Collectors.toSet()));
  }

  private SessionId session() {
    return SessionId.of("session:" + ids.token(12));
  }

  private Progress progress() {
    return new Progress(text(), text(), maybe(this::text), random.nextLong(), time());
  }

  private Usage spent() {
    return new Usage(
        random.nextLong(1_000_000_000), random.nextLong(1_000_000), random.nextLong(10_000_000));
  }

  private List<RungClaim> rungs() {
    List<RungClaim> rungs = new ArrayList<>();
    Rung highest = one(Rung.values());
    for (Rung rung : Rung.values()) {
      if (rung.compareTo(highest) <= 0) {
        rungs.add(new RungClaim(rung, time(), random.nextInt(4), text()));
      }
    }
    return rungs;
  }

  private <T> T one(T[] of) {
    return of[random.nextInt(of.length)];
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }
}
