package dev.midcourse.hub.settings.worker;

import dev.midcourse.agents.sandbox.ImageName;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.agents.sandbox.SandboxSpec;
import dev.midcourse.core.Problem;
import dev.midcourse.hub.settings.toml.ConfigSection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of a table {@code [workers.NAME]} about its sandbox, memory and processors. */
final class SandboxSection {
  private static final int MAX_PROCESSORS = 4096;
  private static final int MAX_PROCESSES = 1_000_000;
  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,5})([MG])");
  private static final String SIZE_RULE = "a size such as 512M or 4G";
  private static final String FOREIGN = "foreign";

  private SandboxSection() {}

  /** The kinds of sandboxes, by their names in the file. */
  enum Kind {
    NONE,
    BWRAP,
    CONTAINER
  }

  static SandboxSpec read(ConfigSection worker, ConfigSection limits) {
    Optional<ImageName> image = worker.text("image", ImageName::new);
    Kind kind =
        worker.oneOf("sandbox", Kind.class).orElse(image.isPresent() ? Kind.CONTAINER : Kind.NONE);
    Optional<Boolean> network = worker.flag("network");
    Optional<List<Path>> writable = paths(worker, "writable");
    Optional<List<Path>> readable = paths(worker, "readable");
    Optional<List<Path>> hidden = paths(worker, "hidden");
    Optional<List<Path>> visible = paths(worker, "visible");
    Optional<Boolean> unixSockets = worker.flag("unix_sockets");
    Optional<Long> memory = limits.text("memory", SandboxSection::bytes);
    Optional<Integer> processors = limits.number("processors", 1, MAX_PROCESSORS);
    Optional<Integer> processes = limits.number("processes", 1, MAX_PROCESSES);
    if (kind == Kind.NONE) {
      only(worker, "network", network, "with a sandbox or an image");
      only(worker, "writable", writable, "with a sandbox or an image");
      only(worker, "unix_sockets", unixSockets, "with a sandbox or an image");
    }
    if (kind != Kind.BWRAP) {
      only(worker, "hidden", hidden, "with sandbox = \"bwrap\"");
      only(worker, "visible", visible, "with sandbox = \"bwrap\"");
    }
    if (kind != Kind.CONTAINER) {
      only(worker, "image", image, "with sandbox = \"container\"");
      only(worker, "readable", readable, "with an image");
    }
    Sandbox.UnixSockets sockets =
        unixSockets.orElse(false) ? Sandbox.UnixSockets.ALLOWED : Sandbox.UnixSockets.DENIED;
    Sandbox sandbox =
        switch (kind) {
          case NONE -> new Sandbox.None();
          case BWRAP ->
              new Sandbox.Bubblewrap(
                  network.orElse(true),
                  sockets,
                  writable.orElse(List.of()),
                  hidden.orElse(List.of()),
                  visible.orElse(List.of()));
          case CONTAINER ->
              new Sandbox.Container(
                  image.orElseGet(() -> worker.held("image", () -> new ImageName(""))),
                  network.orElse(true),
                  sockets,
                  writable.orElse(List.of()),
                  readable.orElse(List.of()),
                  List.of());
        };
    SandboxSpec confinement =
        new SandboxSpec(
            sandbox,
            memory,
            processors,
            processes,
            limits.flag("required").orElse(false)
                ? SandboxSpec.Enforcement.REQUIRED
                : SandboxSpec.Enforcement.BEST_EFFORT);
    if (!confinement.equals(SandboxSpec.NONE)) {
      refuseIfForeign(worker);
    }
    return confinement;
  }

  private static void only(ConfigSection where, String key, Optional<?> written, String rule) {
    if (written.isPresent()) {
      refuse(where, key, "only " + rule);
    }
  }

  private static void refuseIfForeign(ConfigSection worker) {
    if (worker.text("agent").filter(FOREIGN::equals).isPresent()) {
      refuse(worker, "agent", "one that Midcourse starts, since it is to be confined");
    }
  }

  private static void refuse(ConfigSection where, String key, String rule) {
    where.held(
        key,
        () -> {
          throw Problem.invalid(key, rule, key + ": " + rule).refused();
        });
  }

  private static Optional<List<Path>> paths(ConfigSection worker, String key) {
    return worker
        .texts(key)
        .map(texts -> texts.stream().map(text -> worker.held(key, () -> path(key, text))).toList());
  }

  /** Returns the absolute path. A leading {@code ~/} stands for the home of the user. */
  private static Path path(String key, String text) {
    Path path =
        text.startsWith("~/")
            ? Path.of(System.getProperty("user.home"), text.substring(2))
            : Path.of(text);
    if (!path.isAbsolute()) {
      String rule = "absolute paths, or paths that start with ~/";
      throw Problem.invalid(key, rule, key + " must be " + rule).refused();
    }
    return path.normalize();
  }

  private static long bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw Problem.invalid("memory", SIZE_RULE, "memory must be " + SIZE_RULE).refused();
    }
    return Long.parseLong(size.group(1)) << (size.group(2).equals("M") ? 20 : 30);
  }
}
