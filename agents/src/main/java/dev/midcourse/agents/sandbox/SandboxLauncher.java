package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.AttemptFolder;
import dev.midcourse.agents.sandbox.cgroup.Cgroup;
import dev.midcourse.agents.sandbox.cgroup.Cgroups;
import dev.midcourse.agents.sandbox.cgroup.SystemdScope;
import dev.midcourse.agents.sandbox.cgroup.TreeLimiter;
import dev.midcourse.agents.sandbox.cgroup.TreeLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final TreeLimiter limiter;

  SandboxLauncher(SystemPrograms programs) {
    this(programs, limiter(programs));
  }

  SandboxLauncher(SystemPrograms programs, TreeLimiter limiter) {
    this.programs = programs;
    this.runtimes = new ContainerRuntimes(programs);
    this.limiter = limiter;
  }

  private static TreeLimiter limiter(SystemPrograms programs) {
    boolean root = "root".equals(System.getProperty("user.name"));
    return new TreeLimiter(
        Cgroups.ofThisSystem(),
        programs
            .find("systemd-run")
            .map(program -> new SystemdScope(program, root, System.getenv())));
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
      case Sandbox.None() -> withLimits(confinement, List.of(), program);
      case Sandbox.Bubblewrap settings -> {
        List<String> around = Bubblewrap.find(programs).around(program, settings);
        RepositoryRecord.writeTo(program.folder(), program.workspace());
        yield withLimits(confinement, around, program);
      }
      case Sandbox.Container settings -> {
        ContainerRuntime runtime = runtimes.find(settings.image());
        ContainerRecord container = ContainerRecord.of(runtime, program.mark());
        List<String> words =
            ContainerCommand.of(runtime, container.name(), confinement, settings, program);
        container.writeTo(program.folder());
        RepositoryRecord.writeTo(program.folder(), program.workspace());
        yield words;
      }
    };
  }

  /**
   * Removes the sandbox of a program. When this method returns, nothing is left of the sandbox, and
   * the repository of the workspace has the commits of the program.
   */
  public static void clear(AttemptFolder folder) throws IOException, InterruptedException {
    Optional<ContainerRecord> container = ContainerRecord.in(folder);
    if (container.isPresent()) {
      container.get().remove();
    }
    RepositoryRecord.importCommits(folder);
    Optional<Cgroup> cgroup = Cgroup.recordedIn(folder.path());
    if (cgroup.isPresent()) {
      cgroup.get().remove();
    }
  }

  /**
   * Throws with the reason if the sandbox hides the program of an agent.
   *
   * @param words the command of the agent
   */
  public void requireVisible(Sandbox sandbox, List<String> words, Map<String, String> environment)
      throws IOException {
    if (sandbox instanceof Sandbox.Bubblewrap bubblewrap) {
      Bubblewrap.requireVisible(words, environment, bubblewrap);
    }
  }

  /**
   * Returns why the limits of these programs hold for single processes only, if they do. A
   * container runtime sets its limits itself.
   */
  public Optional<String> limitsObstacle(SandboxSpec confinement) throws InterruptedException {
    TreeLimits limits = confinement.treeLimits();
    return limits.isEmpty() || confinement.sandbox() instanceof Sandbox.Container
        ? Optional.empty()
        : limiter.obstacle(limits);
  }

  /**
   * Returns why Midcourse does not filter the system calls of programs in this sandbox, if it does
   * not. Throws if the sandbox does not work on this system.
   */
  public Optional<String> filterObstacle(Sandbox sandbox) throws IOException {
    return switch (sandbox) {
      case Sandbox.None _, Sandbox.Bubblewrap _ -> Optional.empty();
      case Sandbox.Container settings ->
          switch (runtimes.find(settings.image()).filter()) {
            case ContainerFilter.Generated _ -> Optional.empty();
            case ContainerFilter.Missing(String reason) -> Optional.of(reason);
          };
    };
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

  private List<String> withLimits(
      SandboxSpec confinement, List<String> around, SandboxedProgram program)
      throws IOException, InterruptedException {
    List<String> perProcess = ResourceLimits.of(confinement, programs);
    List<String> words = new ArrayList<>(treeLimits(confinement, program));
    words.addAll(perProcess);
    words.addAll(around);
    words.addAll(program.words());
    return words;
  }

  private List<String> treeLimits(SandboxSpec confinement, SandboxedProgram program)
      throws IOException, InterruptedException {
    TreeLimits limits = confinement.treeLimits();
    if (limits.isEmpty()) {
      return List.of();
    }
    try {
      return limiter.words(
          limits, ContainerRecord.publicName(program.mark()), program.folder().path());
    } catch (IOException reason) {
      return switch (confinement.enforcement()) {
        case BEST_EFFORT -> List.of();
        case REQUIRED ->
            throw new MissingDependencyException(
                "the limits of the worker are required, and this system cannot set them for all"
                    + " processes together: "
                    + reason.getMessage());
      };
    }
  }
}
