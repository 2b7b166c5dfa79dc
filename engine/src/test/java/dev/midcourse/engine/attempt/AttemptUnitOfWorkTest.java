package dev.midcourse.engine.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.RunId;
import dev.midcourse.core.run.Run;
import dev.midcourse.core.steer.Receipt;
import dev.midcourse.core.steer.Steer;
import dev.midcourse.core.steer.SteerMode;
import dev.midcourse.engine.EngineFixture;
import dev.midcourse.engine.ScriptedAgent;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit of work of a run that another supervisor owns; it gets only stored messages. */
class AttemptUnitOfWorkTest {
  private EngineFixture fixture;
  private Run run;
  private AttemptUnitOfWork unitOfWork;

  @BeforeEach
  void open(@TempDir Path folder) {
    ScriptedAgent puppet = new ScriptedAgent();
    fixture = new EngineFixture(folder, puppet);
    RunId id = fixture.run("work").id();
    puppet.awaitMessage("prompt 1: work");
    puppet.begins(1);
    run = fixture.now(id);
    unitOfWork =
        new AttemptUnitOfWork(
            fixture.ledger,
            InstantSource.system(),
            HostName.of("here"),
            run,
            fixture.ledger.read(r -> r.attempt(run.id(), run.attempt())).orElseThrow(),
            Optional.empty(),
            List.of());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Steer stored(String text) {
    Receipt receipt = fixture.steer(run, text, SteerMode.FOLLOW_UP);
    return fixture.ledger.read(r -> r.steer(receipt.steerId())).orElseThrow();
  }

  @Test
  void a_steer_that_overtook_others_brings_them_along_in_their_order() {
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
