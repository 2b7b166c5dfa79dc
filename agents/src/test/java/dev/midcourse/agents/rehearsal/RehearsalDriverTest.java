package dev.midcourse.agents.rehearsal;

import dev.midcourse.agents.Driver;
import dev.midcourse.agents.process.ProcessHost;
import java.io.IOException;
import java.io.UncheckedIOException;

final class RehearsalDriverTest extends RehearsalSuite {
  private final ProcessHost host = open();
  private final RehearsalDriver driver = new RehearsalDriver(host);

  private static ProcessHost open() {
    try {
      return ProcessHost.open();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  Driver driver() {
    return driver;
  }

  @Override
  void closeDriver() {
    host.close();
  }
}
