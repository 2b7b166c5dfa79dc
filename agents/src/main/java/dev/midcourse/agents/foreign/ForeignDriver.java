package dev.midcourse.agents.foreign;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.Ear;
import dev.midcourse.agents.Finding;
import dev.midcourse.agents.Heard;
import dev.midcourse.agents.Order;
import dev.midcourse.agents.mail.MailFolder;
import dev.midcourse.agents.process.FolderWatch;
import dev.midcourse.core.Version;
import dev.midcourse.core.agent.Capabilities;
import dev.midcourse.core.agent.Capability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Drives a worker through the files of its mailbox. Nothing is started: the worker takes its task
 * out of {@code input}, says what it does in {@code progress/RUN}, and finds its steers in {@code
 * steer/RUN.json}. The folder is its identity: it is heard about its own runs only.
 */
public final class ForeignDriver implements Driver {
  /** What can be done and proved with files alone. */
  public static final Capabilities CAN =
      Capabilities.of(
          Capability.MID_TURN_STEER,
          Capability.ACCEPTED_EVIDENCE,
          Capability.INJECTED_EVIDENCE,
          Capability.IGNORES_REPEATED_ID,
          Capability.WITHDRAW,
          Capability.BARRIER);

  private final Path root;
  private final FolderWatch watch;
  private final InstantSource clock;

  public ForeignDriver(Path root, FolderWatch watch, InstantSource clock) {
    this.root = root;
    this.watch = watch;
    this.clock = clock;
  }

  @Override
  public Finding find() {
    return new Finding.Found("the files of a mailbox", Version.NUMBER, CAN);
  }

  @Override
  public Agent start(Order order, Ear ear) {
    return agent(order, ear, Optional.empty());
  }

  @Override
  public Agent attach(Order order, Heard.Place from, Ear ear) {
    return agent(order, ear, Optional.of(from));
  }

  private Agent agent(Order order, Ear ear, Optional<Heard.Place> from) {
    String worker = order.environment().getOrDefault(Order.WORKER, "any");
    try {
      ForeignFiles files = new ForeignFiles(new MailFolder(root, List.of(worker)), order, clock);
      files.made();
      ForeignAgent agent = new ForeignAgent(files, ear);
      agent.begin(watch, from);
      return agent;
    } catch (IOException e) {
      throw new UncheckedIOException("the mailbox of " + worker + " cannot be used", e);
    }
  }
}
