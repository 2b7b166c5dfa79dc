package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.CommandProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A program that runs containers, with the options for this system.
 *
 * @param options the options that precede every command
 * @param filter the filter of system calls for the containers that it starts
 */
record ContainerRuntime(Kind kind, Path program, List<String> options, ContainerFilter filter) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_BYTES = 4096;
  private static final int MAX_TRIES = 5;

  /**
   * Matches the error messages of runtimes for a missing image. Any other error is a failure of the
   * runtime.
   */
  private static final Pattern NO_IMAGE =
      Pattern.compile("no such (image|object)|image not known|does not exist");

  /**
   * The variables of the hub's environment that the runtime needs to find its service, settings and
   * images.
   */
  private static final Set<String> INHERITED_VARIABLES =
      Set.of(
          "PATH",
          "HOME",
          "XDG_RUNTIME_DIR",
          "XDG_CONFIG_HOME",
          "XDG_DATA_HOME",
          "DBUS_SESSION_BUS_ADDRESS",
          "CONTAINERS_CONF",
          "CONTAINERS_STORAGE_CONF",
          "DOCKER_HOST",
          "DOCKER_CONFIG",
          "DOCKER_CONTEXT");

  /** The supported runtimes. Their command lines are nearly the same. */
  enum Kind {
    PODMAN,
    DOCKER;

    String command() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  ContainerRuntime {
    options = List.copyOf(options);
  }

  /** Creates a runtime that starts no containers, or whose filter is not known yet. */
  ContainerRuntime(Kind kind, Path program, List<String> options) {
    this(kind, program, options, new ContainerFilter.Missing("the runtime was not asked"));
  }

  /**
   * Asks the runtime for the file with its default filter, and returns the runtime with the filter
   * that can be made of it.
   */
  ContainerRuntime withFilter() throws IOException {
    return new ContainerRuntime(
        kind,
        program,
        options,
        switch (kind) {
          case PODMAN -> podmanFilter();
          case DOCKER -> new ContainerFilter.Missing("docker has its default filter in no file");
        });
  }

  private ContainerFilter podmanFilter() throws IOException {
    CommandProbe.ProbeResult said =
        ask(List.of("info", "--format", "{{.Host.Security.SECCOMPProfilePath}}"));
    if (!succeeded(said)) {
      throw failure(said); // a runtime that does not answer must not weaken the isolation
    }
    return said.out()
        .lines()
        .filter(line -> line.startsWith("/"))
        .map(Path::of)
        .filter(Files::isRegularFile)
        .findFirst()
        .map(ContainerFilter::of)
        .orElseGet(
            () -> new ContainerFilter.Missing("podman names no file with its default filter"));
  }

  /**
   * Returns the environment of the runtime itself. Programs in a container have another
   * environment.
   */
  static Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    System.getenv()
        .forEach((name, value) -> {
          if (INHERITED_VARIABLES.contains(name)) {
            environment.put(name, value);
          }
        });
    environment.putIfAbsent("HOME", System.getProperty("user.home"));
    return environment;
  }

  /** Returns the full command line of one command of the runtime. */
  List<String> arguments(List<String> command) {
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(options);
    words.addAll(command);
    return words;
  }

  /**
   * Throws if the image is missing. Never pulls an image, because the user must decide which images
   * to trust.
   */
  void requireImage(ImageName image) throws IOException {
    CommandProbe.ProbeResult said =
        ask(List.of("image", "inspect", "--format", "{{.Id}}", image.value()));
    if (succeeded(said)) {
      return;
    }
    if (NO_IMAGE.matcher(said.out().toLowerCase(Locale.ROOT)).find()) {
      throw new MissingImage(
          "the image %s is not here, and is not pulled automatically: %s pull %s"
              .formatted(image, kind.command(), image));
    }
    throw failure(said);
  }

  /**
   * Runs the image's shell once without a task, because an installed runtime may still fail to run
   * a container.
   */
  void probe(ImageName image) throws IOException {
    Path profile = Files.createTempFile("midcourse", ".seccomp.json");
    try {
      List<String> command = new ArrayList<>(List.of("run", "--rm", "--network=none"));
      command.addAll(ContainerCommand.always(this));
      command.addAll(filter.writeTo(profile, Sandbox.UnixSockets.DENIED));
      command.addAll(List.of("--entrypoint=/bin/sh", image.value(), "-c", ":"));
      CommandProbe.ProbeResult said = ask(command);
      if (!succeeded(said)) {
        throw failure(said);
      }
    } finally {
      Files.deleteIfExists(profile);
    }
  }

  /**
   * Ends and deletes a container. When this method returns, no container of that name exists.
   * Podman may first only record that the container has stopped, so the command is repeated up to
   * five times.
   */
  void remove(String name) throws IOException {
    List<String> command = new ArrayList<>(List.of("rm", "--force", "--volumes"));
    switch (kind) {
      case PODMAN -> command.addAll(List.of("--time=0", "--ignore"));
      case DOCKER -> {}
    }
    command.add(name);
    String complaint = "";
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      complaint = arguments(ask(command));
      if (isGone(name)) {
        return;
      }
    }
    throw new IOException("the container " + name + " is still there: " + complaint);
  }

  private boolean isGone(String name) throws IOException {
    CommandProbe.ProbeResult left =
        ask(List.of("ps", "--all", "--quiet", "--filter", "name=^" + name + "$"));
    return succeeded(left) && left.out().isBlank();
  }

  /** Returns the program with its options, for display. */
  @Override
  public String toString() {
    return String.join(" ", arguments(List.of()));
  }

  private CommandProbe.ProbeResult ask(List<String> command) throws IOException {
    return new CommandProbe(arguments(command), environment(), TIMEOUT, MAX_BYTES).allWords();
  }

  private IOException failure(CommandProbe.ProbeResult said) {
    return new IOException(this + ": " + arguments(said));
  }

  private static boolean succeeded(CommandProbe.ProbeResult said) {
    return said.code().orElse(-1) == 0;
  }

  private static String arguments(CommandProbe.ProbeResult said) {
    if (said.code().isEmpty()) {
      return "no answer within " + TIMEOUT.toSeconds() + " s";
    }
    return said.out().isBlank() ? "it gives no reason" : said.out().strip();
  }

  /** The runtime answers but does not have this image. */
  static final class MissingImage extends MissingDependencyException {
    private static final long serialVersionUID = 1L;

    MissingImage(String message) {
      super(message);
    }
  }
}
