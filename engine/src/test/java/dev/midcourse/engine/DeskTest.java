package dev.midcourse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.midcourse.core.event.RunEvent;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Mode;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
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
class DeskTest {
  private House house;
  private Run run;
  private Desk desk;

  @BeforeEach
  void open(@TempDir Path folder) {
    Puppet puppet = new Puppet();
    house = new House(folder, puppet);
    RunId id = house.run("work").id();
    puppet.awaitTold("prompt 1: work");
    puppet.begins(1);
    run = house.now(id);
    desk = desk(house.ledger);
  }

  private Desk desk(Ledger ledger) {
    return new Desk(
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

  /** Seen to fail when a slot hands in everything at leisure. */
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
    Slot slot = new Slot();
    Desk noted = desk(noting);
    noted.note(new RunEvent.Said(1, "by the way"));
    slot.handIn(noted, () -> ways.add("kept"));
    noted.note(new RunEvent.Said(1, "the answer"));
    noted.awaitedNow();
    slot.handIn(noted, () -> ways.add("kept"));
    noted.note(new RunEvent.Said(1, "and so on"));
    slot.handIn(noted, () -> ways.add("kept"));
    await().until(() -> ways.stream().filter("kept"::equals).count() == 3);
    assertThat(ways.stream().filter(way -> way.startsWith("write")))
        .containsExactly("writeAsync LAZY", "writeAsync NORMAL", "writeAsync LAZY");
  }

  private Steer stored(String text) {
    Receipt receipt = house.steer(run, text, Mode.FOLLOW_UP);
    return house.ledger.read(r -> r.steer(receipt.steerId())).orElseThrow();
  }

  @Test
  void a_letter_that_overtook_others_brings_them_along_in_their_order() {
    Steer first = stored("one");
    Steer second = stored("two");
    Steer third = stored("three");
    desk.take(third);
    assertThat(desk.openSteers()).containsExactly(first, second, third);
    desk.take(first);
    desk.take(second);
    assertThat(desk.openSteers()).containsExactly(first, second, third);
  }
}
