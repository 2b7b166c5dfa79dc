package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes of the command of a program one that runs it confined. What cannot be made to hold on this
 * system is refused; a program never runs with less around it than was asked for.
 */
public final class SandboxLauncher {
  /** One for all, since what works here is found out only once. */
  private static final SandboxLauncher OF_THIS_SYSTEM =
      new SandboxLauncher(SystemPrograms.ofThisSystem());

  private final SystemPrograms programs;
  private final ContainerRuntimes runtimes;

  SandboxLauncher(SystemPrograms programs) {
    this.programs = programs;
    this.runtimes = new ContainerRuntimes(programs);
  }

  public static SandboxLauncher ofThisSystem() {
    return OF_THIS_SYSTEM;
  }

  /**
   * The command as it is to be started. What is to be cleared away after it is written into its
   * folder before this returns.
   */
  public List<String> confined(SandboxSpec confinement, SandboxedProgram program)
      throws IOException, InterruptedException {
    return switch (confinement.sandbox()) {
      case Sandbox.None() -> ceiled(confinement, List.of(), program);
      case Sandbox.Bubblewrap settings ->
          ceiled(confinement, Bubblewrap.find(programs).around(program, settings), program);
      case Sandbox.Container settings -> {
        ContainerRuntime runtime = runtimes.find(settings.image());
        ContainerRecord container = ContainerRecord.of(runtime, program.mark());
        List<String> words =
            ContainerCommand.of(runtime, container.name(), confinement, settings, program);
        container.writeTo(program.folder());
        yield words;
      }
    };
  }

  /** Clears away what a program left of its sandbox; when this returns nothing is there of it. */
  public static void clear(AttemptFolder folder) throws IOException {
    Optional<ContainerRecord> container = ContainerRecord.in(folder);
    if (container.isPresent()) {
      container.get().remove();
    }
  }

  /** What makes the sandbox hold here, in words for people; or the reason why nothing does. */
  public String means(Sandbox sandbox) throws IOException, InterruptedException {
    return switch (sandbox) {
      case Sandbox.None() -> "none is asked for";
      case Sandbox.Bubblewrap _ -> Bubblewrap.find(programs).toString();
      case Sandbox.Container settings -> runtimes.find(settings.image()).toString();
    };
  }

  private List<String> ceiled(
      SandboxSpec confinement, List<String> around, SandboxedProgram program) throws IOException {
    List<String> words = new ArrayList<>(ResourceLimits.of(confinement, programs));
    words.addAll(around);
    words.addAll(program.words());
    return words;
  }
}
