package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.process.CommandProbe;
import java.io.IOException;
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
 * A program that runs containers, as it is called here.
 *
 * @param options what stands before every command of it
 */
record ContainerRuntime(Kind kind, Path program, List<String> options) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_BYTES = 4096;
  private static final int MAX_TRIES = 5;

  /** How runtimes say that they do not have an image; anything else is a trouble of their own. */
  private static final Pattern NO_IMAGE =
      Pattern.compile("no such (image|object)|image not known|does not exist");

  /** What of the hub's environment says where the runtime and its images are. */
  private static final Set<String> ITS_VARIABLES =
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

  /** The runtimes that there are; they understand nearly the same words. */
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

  /** Its own environment, which is not that of what it runs. */
  static Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    System.getenv()
        .forEach((name, value) -> {
          if (ITS_VARIABLES.contains(name)) {
            environment.put(name, value);
          }
        });
    environment.putIfAbsent("HOME", System.getProperty("user.home"));
    return environment;
  }

  /** The words of one of its commands. */
  List<String> arguments(List<String> command) {
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(options);
    words.addAll(command);
    return words;
  }

  /** Nothing is fetched by itself: what an image brings is the user's decision. */
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
    throw trouble(said);
  }

  /** Runs the image's shell for nothing, since much can be installed and yet not work. */
  void probe(ImageName image) throws IOException {
    List<String> command = new ArrayList<>(List.of("run", "--rm", "--network=none"));
    command.addAll(ContainerCommand.always(this));
    command.addAll(List.of("--entrypoint=/bin/sh", image.value(), "-c", ":"));
    CommandProbe.ProbeResult said = ask(command);
    if (!succeeded(said)) {
      throw trouble(said);
    }
  }

  /**
   * Ends and deletes a container; when this returns there is none of that name. Podman may first
   * only note that nothing runs any more, and has to be told again.
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

  /** As people call it. */
  @Override
  public String toString() {
    return String.join(" ", arguments(List.of()));
  }

  private CommandProbe.ProbeResult ask(List<String> command) throws IOException {
    return new CommandProbe(arguments(command), environment(), TIMEOUT, MAX_BYTES).allWords();
  }

  private IOException trouble(CommandProbe.ProbeResult said) {
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

  /** The runtime works as far as it was asked, but has not got this image. */
  static final class MissingImage extends MissingDependencyException {
    private static final long serialVersionUID = 1L;

    MissingImage(String message) {
      super(message);
    }
  }
}
