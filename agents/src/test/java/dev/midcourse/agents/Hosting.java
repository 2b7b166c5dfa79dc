package dev.midcourse.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.ProcessHost;
import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.process.tree.LiveProcess;
import dev.midcourse.agents.process.tree.StopTimeouts;
import dev.midcourse.agents.process.tree.TreeKillResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A host for the programs of one test; when it closes, also after a failure, none is alive. */
public final class Hosting implements AutoCloseable {
  private final ProcessHost host;
  private final List<AttemptSpec> orders = new ArrayList<>();

  public Hosting() {
    try {
      host = ProcessHost.open();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public ProcessHost host() {
    return host;
  }

  /** Has everything that is started for this order ended with the test. */
  public AttemptSpec keep(AttemptSpec spec) {
    orders.add(spec);
    return spec;
  }

  /** The names of the programs that are alive of this order. */
  public List<String> alive(AttemptSpec spec) {
    return processes(spec).stream().map(LiveProcess::name).toList();
  }

  public List<LiveProcess> processes(AttemptSpec spec) {
    try {
      return host.tree(new AttemptFolder(spec.folder()), new ProcessMarker(spec.mark())).alive();
    } catch (InterruptedException asked) {
      throw new IllegalStateException(asked);
    }
  }

  /** Kills the processes of this name, as the kernel would when memory is short. */
  public void kill(AttemptSpec spec, String name) {
    for (LiveProcess process : processes(spec)) {
      if (process.name().equals(name)) {
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Override
  public void close() {
    try {
      for (AttemptSpec spec : orders) {
        TreeKillResult ending =
            host.tree(new AttemptFolder(spec.folder()), new ProcessMarker(spec.mark()))
                .end(StopTimeouts.IMMEDIATE, () -> {});
        assertThat(ending).isInstanceOf(TreeKillResult.Ended.class);
      }
    } catch (InterruptedException asked) {
      throw new IllegalStateException(asked);
    } finally {
      host.close();
    }
  }
}
