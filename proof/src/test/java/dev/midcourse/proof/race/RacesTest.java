package dev.midcourse.proof.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.id.SteerId;
import dev.midcourse.core.id.SteerReference;
import dev.midcourse.core.run.RunState;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerEnd;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.core.steer.SteerRequest;
import dev.midcourse.core.steer.SteerText;
import dev.midcourse.engine.SteerService;
import dev.midcourse.ledger.Ledger;
import dev.midcourse.ledger.sql.SqliteLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every receipt is true, also when several requests happen at the same moment. */
@Tag("slow")
class RacesTest {
  private static final int MOMENTS = 150;
  private static final int ROUNDS = Integer.getInteger("midcourse.rounds", 120);

  private final AtomicReference<Duration> shift = new AtomicReference<>(Duration.ZERO);
  private final InstantSource clock = () -> Instant.now().plus(shift.get());
  private final AgentRecorder recorder = new AgentRecorder();
  private final ExecutorService people = Executors.newVirtualThreadPerTaskExecutor();
  private Ledger ledger;
  private RaceFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    ledger = SqliteLedger.open(folder.resolve("midcourse.db"));
    fixture = new RaceFixture("here", folder, ledger, clock, recorder);
  }

  @AfterEach
  void close() {
    people.shutdownNow();
    fixture.close();
    ledger.close();
  }

  /**
   * On a slow machine all steers may come after a short turn. Then longer turns follow, until a
   * steer was in time.
   */
  @Test
  void a_steer_at_every_millisecond_around_the_end_of_a_turn_is_delivered_once_or_refused()
      throws Exception {
    for (String turn : List.of("0.05", "0.2", "1", "5", "20")) {
      if (steerAtEveryMillisecond(turn)) {
        return;
      }
    }
    fail("no steer was in time, not even in a turn of 20 s");
  }

  /** Returns whether a steer was in time. */
  private boolean steerAtEveryMillisecond(String turn) throws Exception {
    List<Future<RunId>> all = new ArrayList<>();
    for (int i = 0; i < MOMENTS; i++) {
      int moment = i;
      all.add(people.submit(() -> steeredAfter(moment, turn)));
    }
    List<RunId> runs = new ArrayList<>();
    for (Future<RunId> one : all) {
      runs.add(one.get());
    }
    fixture.awaitEnds(runs);
    for (RunId run : runs) {
      fixture.assertHonest(run, "no seed");
      assertThat(fixture.now(run).state()).isEqualTo(RunState.DONE);
    }
    return runs.stream().anyMatch(run -> !ledger.read(r -> r.steers(run)).isEmpty());
  }

  /** Starts a turn of so many seconds and sends a steer so many milliseconds after its opening. */
  private RunId steeredAfter(int millis, String turn) {
    RunId run = fixture.run("turn-" + turn + "-moment-" + millis, "$ sleep " + turn).id();
    fixture.awaitTurn(run);
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    try {
      fixture.engine().steering().submit(run, RaceFixture.PERSON, SteerRequest.steer("in time?"));
    } catch (RefusedException tooLate) {
      assertThat(tooLate.problem().code()).isEqualTo(Code.RUN_ENDED);
    }
    return run;
  }

  @Test
  void stop_interrupt_withdraw_edit_supersede_and_promote_against_each_other() throws Exception {
    Random random = RaceFixture.random("changes of mind");
    List<RunId> runs = new ArrayList<>();
    List<Future<?>> all = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      RunId run =
          fixture.run("round-" + round, "$ sleep 0.03|$ sleep 0.03".replace('|', '\n')).id();
      runs.add(run);
      if (random.nextInt(4) > 0) {
        fixture.awaitTurn(run);
      }
      SteerMode mode = random.nextInt(3) == 0 ? SteerMode.FOLLOW_UP : SteerMode.STEER;
      for (Callable<Receipt> request : requests(run, mode, random)) {
        long delay = random.nextLong(40_000_000);
        all.add(
            people.submit(() -> {
              LockSupport.parkNanos(delay);
              return answerTo(request);
            }));
      }
    }
    for (Future<?> one : all) {
      one.get();
    }
    fixture.awaitEnds(runs);
    runs.forEach(run -> fixture.assertHonest(run, "see the seed above;"));
  }

  /** Returns conflicting requests of several people about one steer and its run. */
  private List<Callable<Receipt>> requests(RunId run, SteerMode mode, Random random) {
    SteerService steerService = fixture.engine().steering();
    List<Callable<Receipt>> requests = new ArrayList<>();
    SteerId steer;
    try {
      SteerRequest first = SteerRequest.steer("first").withMode(mode);
      steer = steerService.submit(run, RaceFixture.PERSON, first).receipt().steerId();
    } catch (RefusedException ended) {
      return List.of();
    }
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      String words = "words " + i;
      SteerRequest another = SteerRequest.steer(words);
      requests.add(
          switch (random.nextInt(7)) {
            case 0 -> () -> withdrawn(steer);
            case 1 -> () -> steerService.edit(steer, SteerText.of(words));
            case 2 -> () -> steerService.promote(steer);
            case 3 -> () -> submitted(run, instead(another, steer));
            case 4 -> () -> submitted(run, another.withMode(SteerMode.INTERRUPT));
            case 5 -> () -> submitted(run, another.withMode(SteerMode.STOP));
            default -> () -> submitted(run, another);
          });
    }
    return requests;
  }

  private Receipt submitted(RunId run, SteerRequest request) {
    return fixture.engine().steering().submit(run, RaceFixture.PERSON, request).receipt();
  }

  private static SteerRequest instead(SteerRequest newer, SteerId older) {
    return new SteerRequest(
        newer.text(),
        newer.mode(),
        newer.key(),
        newer.expectedTurn(),
        newer.timeToLive(),
        newer.onUnsupported(),
        Optional.of(SteerReference.to(older)));
  }

  /** Withdraws the steer. A person who gets the answer that it is withdrawn can rely on it. */
  private Receipt withdrawn(SteerId steer) {
    Receipt receipt = fixture.engine().steering().withdraw(steer, "changed my mind");
    assertThat(receipt.ended()).contains(SteerEnd.WITHDRAWN);
    return receipt;
  }

  /** Returns true if the request succeeded, false if it was refused with an expected code. */
  private static boolean answerTo(Callable<Receipt> request) throws Exception {
    try {
      request.call();
      return true;
    } catch (RefusedException refused) {
      assertThat(refused.problem().code())
          .isIn(Code.TOO_LATE, Code.RUN_ENDED, Code.INVALID, Code.UNAVAILABLE);
      return false;
    }
  }

  @Test
  void clock_jumps_lose_double_or_misreport_no_steer() throws Exception {
    Random random = RaceFixture.random("clock jumps");
    List<RunId> runs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      runs.add(fixture.run("jump-" + i, "$ sleep 0.2\n$ sleep 0.2").id());
    }
    Duration furthest = Duration.ZERO;
    for (int jump = 0; jump < 40; jump++) {
      RunId run = runs.get(random.nextInt(runs.size()));
      answerTo(() ->
          fixture
              .engine()
              .steering()
              .submit(run, RaceFixture.PERSON, SteerRequest.steer("remark"))
              .receipt());
      Duration to = Duration.ofSeconds(random.nextInt(-7_200, 7_200));
      furthest = to.compareTo(furthest) > 0 ? to : furthest;
      shift.set(to);
      LockSupport.parkNanos(random.nextLong(30_000_000));
    }
    shift.set(furthest.plusHours(1));
    fixture.awaitEnds(runs);
    for (RunId run : runs) {
      fixture.assertHonest(run, "see the seed above;");
      List<Long> order = ledger.read(r -> r.steers(run)).stream().map(Steer::seq).toList();
      assertThat(order).isSorted().doesNotHaveDuplicates();
    }
    assertThat(recorder.twoAtOnce()).isEmpty();
  }
}
