package dev.midcourse.engine.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgent;
import dev.midcourse.ledger.Ledger;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The desk of a run that another supervisor attends; only letters are brought to it. */
class AttemptUnitOfWorkTest {
  private EngineFixture house;
  private Run run;
  private AttemptUnitOfWork unitOfWork;

  @BeforeEach
  void open(@TempDir Path folder) {
    ScriptedAgent puppet = new ScriptedAgent();
    house = new EngineFixture(folder, puppet);
    RunId id = house.run("work").id();
    puppet.awaitTold("prompt 1: work");
    puppet.begins(1);
    run = house.now(id);
    unitOfWork = desk(house.ledger);
  }

  private AttemptUnitOfWork desk(Ledger ledger) {
    return new AttemptUnitOfWork(
        ledger,
        InstantSource.system(),
        HostName.of("here"),
        run,
        house.ledger.read(r -> r.attempt(run.id(), run.attempt())).orElseThrow(),
        Optional.empty(),
        List.of());
  }

  @AfterEach
  void close() {
    house.close();
  }

  /** Seen to fail when the committer commits everything at leisure. */
  @Test
  void what_somebody_waits_for_is_not_handed_in_at_leisure() {
    List<String> ways = new CopyOnWriteArrayList<>();
    Ledger noting =
        (Ledger)
            Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (_, method, given) -> {
                  ways.add(
                      method.getName().equals("writeAsync")
                          ? "writeAsync " + given[0]
                          : method.getName());
                  return method.invoke(house.ledger, given);
                });
    BoundedCommitter committer = new BoundedCommitter(new SupervisorMailbox());
    AttemptUnitOfWork noted = desk(noting);
    noted.append(new RunEvent.Said(1, "by the way"));
    committer.commit(noted, () -> ways.add("kept"));
    noted.append(new RunEvent.Said(1, "the answer"));
    noted.markAwaited();
    committer.commit(noted, () -> ways.add("kept"));
    noted.append(new RunEvent.Said(1, "and so on"));
    committer.commit(noted, () -> ways.add("kept"));
    await().until(() -> ways.stream().filter("kept"::equals).count() == 3);
    assertThat(ways.stream().filter(way -> way.startsWith("write")))
        .containsExactly("writeAsync LAZY", "writeAsync NORMAL", "writeAsync LAZY");
  }

  private Steer stored(String text) {
    Receipt receipt = house.steer(run, text, SteerMode.FOLLOW_UP);
    return house.ledger.read(r -> r.steer(receipt.steerId())).orElseThrow();
  }

  @Test
  void a_letter_that_overtook_others_brings_them_along_in_their_order() {
    Steer first = stored("one");
    Steer second = stored("two");
    Steer third = stored("three");
    unitOfWork.add(third);
    assertThat(unitOfWork.openSteers()).containsExactly(first, second, third);
    unitOfWork.add(first);
    unitOfWork.add(second);
    assertThat(unitOfWork.openSteers()).containsExactly(first, second, third);
  }
}
