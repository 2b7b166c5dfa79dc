package dev.midcourse.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.agents.process.AttemptFolder;
import dev.midcourse.agents.process.Ending;
import dev.midcourse.agents.process.Grace;
import dev.midcourse.agents.process.LiveProcess;
import dev.midcourse.agents.process.Mark;
import dev.midcourse.agents.process.ProcessHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A host for the programs of one test; when it closes, also after a failure, none is alive. */
public final class Hosting implements AutoCloseable {
  private final ProcessHost host;
  private final List<Order> orders = new ArrayList<>();

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
  public Order keep(Order order) {
    orders.add(order);
    return order;
  }

  /** The names of the programs that are alive of this order. */
  public List<String> alive(Order order) {
    return processes(order).stream().map(LiveProcess::name).toList();
  }

  public List<LiveProcess> processes(Order order) {
    try {
      return host.tree(new AttemptFolder(order.folder()), new Mark(order.mark())).alive();
    } catch (InterruptedException asked) {
      throw new IllegalStateException(asked);
    }
  }

  /** Kills the processes of this name, as the kernel would when memory is short. */
  public void kill(Order order, String name) {
    for (LiveProcess process : processes(order)) {
      if (process.name().equals(name)) {
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Override
  public void close() {
    try {
      for (Order order : orders) {
        Ending ending =
            host.tree(new AttemptFolder(order.folder()), new Mark(order.mark()))
                .end(Grace.none(), () -> {});
        assertThat(ending).isInstanceOf(Ending.Ended.class);
      }
    } catch (InterruptedException asked) {
      throw new IllegalStateException(asked);
    } finally {
      host.close();
    }
  }
}
