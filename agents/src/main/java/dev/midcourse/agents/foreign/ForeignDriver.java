package dev.midcourse.agents.foreign;

import dev.midcourse.agents.Agent;
import dev.midcourse.agents.AgentEventBatch;
import dev.midcourse.agents.AgentListener;
import dev.midcourse.agents.AttemptSpec;
import dev.midcourse.agents.Driver;
import dev.midcourse.agents.ProgramLookup;
import dev.midcourse.agents.mail.MailboxDirectory;
import dev.midcourse.agents.process.os.DirectoryWatcher;
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
 * Drives a worker through the files of its mailbox. The driver starts no program: the worker takes
 * its task from {@code input}, writes its progress to {@code progress/RUN}, and finds its steers in
 * {@code steer/RUN.json}. The folder is the identity of the worker: its files can concern only its
 * own runs.
 */
public final class ForeignDriver implements Driver {
  /** The capabilities that files alone can provide and prove. */
  public static final Capabilities CAPABILITIES =
      Capabilities.of(
          Capability.MID_TURN_STEER,
          Capability.ACCEPTED_EVIDENCE,
          Capability.INJECTED_EVIDENCE,
          Capability.IGNORES_REPEATED_ID,
          Capability.WITHDRAW,
          Capability.BARRIER);

  private final Path root;
  private final DirectoryWatcher watch;
  private final InstantSource clock;

  public ForeignDriver(Path root, DirectoryWatcher watch, InstantSource clock) {
    this.root = root;
    this.watch = watch;
    this.clock = clock;
  }

  @Override
  public ProgramLookup find() {
    return new ProgramLookup.Found("the files of a mailbox", Version.NUMBER, CAPABILITIES);
  }

  @Override
  public Agent start(AttemptSpec spec, AgentListener listener) {
    return agent(spec, listener, Optional.empty());
  }

  @Override
  public Agent attach(
      AttemptSpec spec, AgentEventBatch.OutputCheckpoint from, AgentListener listener) {
    return agent(spec, listener, Optional.of(from));
  }

  private Agent agent(
      AttemptSpec spec, AgentListener listener, Optional<AgentEventBatch.OutputCheckpoint> from) {
    String worker = spec.environment().getOrDefault(AttemptSpec.WORKER, "any");
    try {
      ForeignFiles files =
          new ForeignFiles(new MailboxDirectory(root, List.of(worker)), spec, clock);
      files.made();
      ForeignAgent agent = new ForeignAgent(files, listener);
      agent.begin(watch, from);
      return agent;
    } catch (IOException e) {
      throw new UncheckedIOException("the mailbox of " + worker + " cannot be used", e);
    }
  }
}
