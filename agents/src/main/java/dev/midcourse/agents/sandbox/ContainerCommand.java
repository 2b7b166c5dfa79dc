package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.attempt.OutputFile;
import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.agents.sandbox.mount.ContainerMounts;
import dev.midcourse.agents.sandbox.mount.GitGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds the command that runs a program in a container. The program reads its FIFO and writes its
 * output files directly and not through the runtime, so it needs neither the runtime nor a hub to
 * continue.
 */
final class ContainerCommand {
  private static final Path INSIDE = Path.of("/run/midcourse");
  private static final Path SELF = Path.of("/proc/self");

  /** The file in the attempt folder, which is not mounted into the container. */
  private static final String PROFILE = "seccomp.json";

  /**
   * Runs the program as the second process, because the kernel ignores TERM for a first process
   * without a handler. When the program exits, the first process exits too, and the kernel ends all
   * other processes of the container.
   */
  private static final String SCRIPT =
      """
      trap : HUP INT QUIT TERM
      (trap - HUP INT QUIT TERM; exec "$@") <>%s/in >>%s/out 2>>%s/err
      exit $?
      """
          .formatted(INSIDE, INSIDE, INSIDE);

  /** The folder in the attempt folder that is mounted over hidden folders. */
  private static final String EMPTY = "empty";

  private ContainerCommand() {}

  static List<String> of(
      ContainerRuntime runtime,
      String name,
      SandboxSpec held,
      Sandbox.Container in,
      SandboxedProgram program)
      throws IOException {
    Path here = program.workspace().toRealPath();
    List<String> run = new ArrayList<>(List.of("run", "--rm", "--name=" + name));
    run.addAll(always(runtime));
    run.addAll(
        runtime.filter().writeTo(program.folder().path().resolve(PROFILE), in.unixSockets()));
    run.add(in.network() ? "--network=host" : "--network=none");
    run.addAll(limits(held));
    run.addAll(mounts(in, program, here));
    run.addAll(environment(program));
    run.addAll(List.of("--workdir=" + here, "--entrypoint=/bin/sh", in.image().value()));
    run.addAll(List.of("-c", SCRIPT, "midcourse-container"));
    run.addAll(program.words());
    List<String> words = new ArrayList<>(List.of("/usr/bin/env"));
    ContainerRuntime.environment().forEach((key, value) -> words.add(key + "=" + value));
    words.addAll(runtime.arguments(run));
    return words;
  }

  /**
   * Returns the arguments of every container: no capabilities, the user and group of the hub, and
   * no image pull.
   */
  static List<String> always(ContainerRuntime runtime) throws IOException {
    int user = (int) Files.getAttribute(SELF, "unix:uid");
    int group = (int) Files.getAttribute(SELF, "unix:gid");
    List<String> words =
        new ArrayList<>(
            List.of(
                "--pull=never",
                "--log-driver=none",
                "--cap-drop=ALL",
                "--security-opt=no-new-privileges",
                "--security-opt=label=disable",
                "--user=" + user + ":" + group));
    switch (runtime.kind()) {
      case PODMAN -> {
        words.add("--http-proxy=false");
        words.addAll(CurrentUlimits.arguments());
        if (user != 0) {
          words.add("--userns=keep-id");
        }
      }
      case DOCKER -> {}
    }
    return words;
  }

  /** Returns the limits, which apply to the container as a whole. */
  private static List<String> limits(SandboxSpec held) {
    List<String> words = new ArrayList<>();
    held.memory()
        .ifPresent(bytes -> words.addAll(List.of("--memory=" + bytes, "--memory-swap=" + bytes)));
    held.processors().ifPresent(count -> words.add("--cpus=" + count));
    held.processes().ifPresent(max -> words.add("--pids-limit=" + max));
    return words;
  }

  private static List<String> mounts(Sandbox.Container in, SandboxedProgram program, Path here)
      throws IOException {
    ContainerMounts mounts = new ContainerMounts();
    for (Path readable : in.readable()) {
      mounts.readable(readable);
    }
    for (Path writable : in.writable()) {
      mounts.writable(writable);
    }
    mounts.writable(program.home());
    mounts.writable(here);
    for (Path hidden : in.hidden()) {
      mounts.hide(hidden, program.folder().path().resolve(EMPTY));
    }
    GitGuard.of(here, agentsPlaces(in, program), mounts);
    mounts.at(INSIDE.resolve("in"), program.folder().input());
    mounts.at(INSIDE.resolve("out"), program.folder().output(OutputFile.OUT));
    mounts.at(INSIDE.resolve("err"), program.folder().output(OutputFile.ERR));
    return mounts.arguments();
  }

  /** Returns the folders that the program, and the programs before it, can write. */
  private static List<Path> agentsPlaces(Sandbox.Container in, SandboxedProgram program) {
    List<Path> places = new ArrayList<>(in.writable());
    places.addAll(List.of(program.workspace(), program.home()));
    return places;
  }

  /**
   * Passes variables by name, so that no value is on a command line that other users can read.
   * Variables that the runtime also uses itself are passed with their values, which are locations
   * and not secrets.
   */
  private static List<String> environment(SandboxedProgram program) {
    Map<String, String> own = ContainerRuntime.environment();
    List<String> words = new ArrayList<>(List.of("--env=" + ProcessMarker.VARIABLE));
    new TreeMap<>(program.environment())
        .forEach((name, value) ->
            words.add("--env=" + name + (own.containsKey(name) ? "=" + value : "")));
    return words;
  }
}
