package dev.midcourse.hub.redis;

import dev.midcourse.core.Problem;
import dev.midcourse.core.WireNames;
import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.IdempotencyKey;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Rung;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.engine.Engine;
import dev.midcourse.engine.follow.LogFollower;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.Log;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes each change of a steer from Redis to the stream {@code receipts:SESSION}, also changes
 * from a time without a hub or without Redis. The id of a record is the time of the event and its
 * place in the log, so a change that is written again after a crash is one record. A stream has at
 * most 1,000 records and is deleted one day after the end of its run.
 */
final class ReceiptStream implements AutoCloseable {
  private static final Duration CURSOR_STORE_INTERVAL = Duration.ofMillis(500);
  private static final int MAX_RECORDS = 1_000;
  private static final int MAX_REJECTED = 1_000;
  private static final Duration AFTER_END = Duration.ofDays(1);

  /** Deletes the stream of a run that has no change for so long, for example without a hub. */
  private static final Duration LIVE = Duration.ofDays(30);

  /** Redis gives the record an id after all others. */
  private static final String NEXT_ID = "*";

  private static final Duration REJECTED_LIFE = Duration.ofDays(7);
  private static final int MAX_EXCERPT = 1_000;
  private static final int MAX_SHOWN_TEXT = 200;
  private static final int MAX_REMEMBERED = 10_000;
  private static final Log.Filter NEWS =
      Log.Filter.of(
          RunEvent.SteerStored.class,
          RunEvent.SteerRaised.class,
          RunEvent.SteerReturned.class,
          RunEvent.SteerCarried.class,
          RunEvent.SteerEdited.class,
          RunEvent.SteerPromoted.class,
          RunEvent.SteerEnded.class,
          RunEvent.RunEnded.class);

  private final RedisLink link;
  private final Ledger ledger;
  private final InstantSource clock;
  private final Consumer<RunId> onRoom;
  private final Consumer<SessionName> onEnd;
  private final LogFollower follower;

  /** The keys of the newest steers that came from Redis; empty for others. */
  private final Map<SteerId, Optional<IdempotencyKey>> keys =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SteerId, Optional<IdempotencyKey>> eldest) {
          return size() > MAX_REMEMBERED;
        }
      };

  /**
   * @param onRoom is called when a steer of the run, or the run, has ended
   * @param onEnd is called with each session of a run that has ended
   */
  ReceiptStream(
      RedisLink link,
      Engine engine,
      InstantSource clock,
      Consumer<RunId> onRoom,
      Consumer<SessionName> onEnd) {
    this.link = link;
    this.ledger = engine.ledger();
    this.clock = clock;
    this.onRoom = onRoom;
    this.onEnd = onEnd;
    this.follower =
        new LogFollower(
            "redis-receipts." + engine.settings().host(),
            ledger,
            NEWS,
            CURSOR_STORE_INTERVAL,
            this::write);
  }

  void start() {
    follower.start();
  }

  private void write(List<Log.LogEntry> news) {
    List<RedisLink.ScriptCall> records = new ArrayList<>();
    Set<RunId> ended = new LinkedHashSet<>();
    for (Log.LogEntry entry : news) {
      RunEvent event = entry.event();
      if (event instanceof RunEvent.SteerEvent about) {
        record(entry, about).ifPresent(records::add);
      }
      if (event instanceof RunEvent.SteerEnded || event instanceof RunEvent.RunEnded) {
        onRoom.accept(entry.run());
      }
      if (event instanceof RunEvent.RunEnded) {
        ended.add(entry.run());
      }
    }
    link.runAll(records);
    ended.forEach(this::end);
  }

  private Optional<RedisLink.ScriptCall> record(Log.LogEntry entry, RunEvent.SteerEvent about) {
    return key(about)
        .flatMap(key ->
            SteeringEntry.sessionOf(key)
                .map(session -> {
                  Map<String, String> fields = new LinkedHashMap<>();
                  fields.put("steer_id", about.steer().value());
                  fields.put("run_id", entry.run().value());
                  SteeringEntry.idOf(key).ifPresent(id -> fields.put("id", id));
                  fields.putAll(change(about));
                  fields.put("at", entry.at().toString());
                  return new RedisLink.ScriptCall(
                      RedisScript.RECEIPT,
                      List.of(session.receiptsKey()),
                      arguments(entry.at().toEpochMilli() + "-" + entry.cursor(), LIVE, fields));
                }));
  }

  private Optional<IdempotencyKey> key(RunEvent.SteerEvent about) {
    Optional<IdempotencyKey> known =
        Optional.ofNullable(keys.get(about.steer())).orElse(Optional.empty());
    if (known.isPresent() || keys.containsKey(about.steer())) {
      return known;
    }
    Optional<IdempotencyKey> read =
        about instanceof RunEvent.SteerStored stored
                && !SteeringEntry.isOrigin(stored.author().origin())
            ? Optional.empty()
            : ledger
                .<Optional<Steer>>read(reader -> reader.steer(about.steer()))
                .filter(steer -> SteeringEntry.isOrigin(steer.author().origin()))
                .flatMap(Steer::key);
    keys.put(about.steer(), read);
    return read;
  }

  private static Map<String, String> change(RunEvent.SteerEvent event) {
    return switch (event) {
      case RunEvent.SteerStored it ->
          fields(
              "rung", Rung.STORED.wire(),
              "evidence", "committed to the ledger",
              "mode", it.mode().wire(),
              "text", WireNames.cut(it.text(), MAX_SHOWN_TEXT));
      case RunEvent.SteerRaised it ->
          fields(
              "rung", it.rung().wire(),
              "evidence", it.evidence(),
              "attempt", Integer.toString(it.attempt()));
      case RunEvent.SteerEnded it -> fields("ended", it.ended().wire(), "reason", it.reason());
      case RunEvent.SteerCarried it -> fields("carried_to", it.carriedTo());
      case RunEvent.SteerReturned it -> fields("returned", it.reason());
      case RunEvent.SteerEdited it -> fields("edited", WireNames.cut(it.text(), MAX_SHOWN_TEXT));
      case RunEvent.SteerPromoted _ -> fields("promoted", "true");
    };
  }

  private static Map<String, String> fields(String... namesAndValues) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }

  private static List<String> arguments(String id, Duration life, Map<String, String> fields) {
    List<String> arguments = new ArrayList<>();
    arguments.add(id);
    arguments.add(Integer.toString(MAX_RECORDS));
    arguments.add(Long.toString(life.toSeconds()));
    fields.forEach((name, value) -> {
      arguments.add(name);
      arguments.add(value);
    });
    return arguments;
  }

  /** Lets the streams of an ended run expire, and has their lists read once more. */
  private void end(RunId id) {
    Set<SessionName> sessions =
        ledger.read(reader -> {
          Set<SessionName> names = new LinkedHashSet<>();
          Optional<Run> run = reader.run(id).filter(it -> !it.state().live());
          run.ifPresent(it -> {
            names.add(new SessionName(id.value()));
            it.session().ifPresent(session -> names.add(new SessionName(session.value())));
            reader.steers(id).stream()
                .filter(steer -> SteeringEntry.isOrigin(steer.author().origin()))
                .flatMap(steer -> steer.key().flatMap(SteeringEntry::sessionOf).stream())
                .forEach(names::add);
          });
          return names;
        });
    for (SessionName session : sessions) {
      link.expire(session.receiptsKey(), AFTER_END);
      onEnd.accept(session);
    }
  }

  /** The arguments of {@link RedisScript#REJECT}. */
  List<String> rejection(
      SessionName session, Optional<Run> run, String tag, String entry, Problem problem) {
    Instant now = clock.instant();
    JsonValue.Obj refusal =
        JsonValue.object()
            .with("session_id", WireNames.cut(session.value(), MAX_EXCERPT))
            .with("entry", WireNames.cut(entry, MAX_EXCERPT))
            .with("code", problem.code().wire())
            .with("field", problem.field())
            .with("reason", problem.message())
            .with("at", now.toString());
    List<String> arguments = new ArrayList<>();
    arguments.add(tag);
    arguments.add(JsonWriter.compact(refusal));
    arguments.add(Integer.toString(MAX_REJECTED));
    arguments.add(Long.toString(REJECTED_LIFE.toSeconds()));
    if (session.problem().isEmpty()) {
      Map<String, String> fields = new LinkedHashMap<>();
      run.ifPresent(it -> fields.put("run_id", it.id().value()));
      fields.put("rejected", problem.code().wire());
      fields.put("reason", problem.message());
      fields.put("entry", WireNames.cut(entry, MAX_SHOWN_TEXT));
      fields.put("at", now.toString());
      boolean live = run.filter(it -> it.state().live()).isPresent();
      arguments.addAll(arguments(NEXT_ID, live ? LIVE : AFTER_END, fields));
    }
    return arguments;
  }

  /** Waits for the records that are being written. None is written afterwards. */
  @Override
  public void close() {
    follower.close();
  }
}
