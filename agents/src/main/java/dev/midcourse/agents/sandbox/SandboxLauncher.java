package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns the command of a program into a command that runs the program in its sandbox. Refuses a
 * sandbox that this system cannot provide. A program never runs with less isolation than its
 * settings require.
 */
public final class SandboxLauncher {
  /** One shared instance, so that the working container runtime is determined only once. */
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
   * Returns the command to start. If the sandbox needs a clean-up later, the record of it is in the
   * folder before this method returns.
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

  /** Removes the sandbox of a program. When this method returns, nothing is left of the sandbox. */
  public static void clear(AttemptFolder folder) throws IOException {
    Optional<ContainerRecord> container = ContainerRecord.in(folder);
    if (container.isPresent()) {
      container.get().remove();
    }
  }

  /**
   * Returns the program that provides the sandbox on this system, for display. Throws with the
   * reason if there is none.
   */
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
