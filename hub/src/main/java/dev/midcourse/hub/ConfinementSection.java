package dev.midcourse.hub;

import dev.midcourse.agents.sandbox.Confinement;
import dev.midcourse.agents.sandbox.ImageName;
import dev.midcourse.agents.sandbox.Sandbox;
import dev.midcourse.core.Problem;
import dev.midcourse.hub.config.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a table {@code [workers.NAME]} says of its sandbox, and of memory and processors. */
final class ConfinementSection {
  private static final int MOST_PROCESSORS = 4096;
  private static final int MOST_PROCESSES = 1_000_000;
  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,5})([MG])");
  private static final String SIZE_RULE = "a size such as 512M or 4G";
  private static final String FOREIGN = "foreign";

  private ConfinementSection() {}

  /** The kinds there are, as people write them. */
  enum Kind {
    NONE,
    BWRAP,
    CONTAINER
  }

  static Confinement read(Section worker, Section limits) {
    Optional<ImageName> image = worker.text("image", ImageName::new);
    Kind kind =
        worker.oneOf("sandbox", Kind.class).orElse(image.isPresent() ? Kind.CONTAINER : Kind.NONE);
    Optional<Boolean> network = worker.flag("network");
    Optional<List<Path>> writable = paths(worker, "writable");
    Optional<List<Path>> readable = paths(worker, "readable");
    Optional<List<Path>> hidden = paths(worker, "hidden");
    Optional<Long> memory = limits.text("memory", ConfinementSection::bytes);
    Optional<Integer> processors = limits.number("processors", 1, MOST_PROCESSORS);
    Optional<Integer> processes = limits.number("processes", 1, MOST_PROCESSES);
    if (kind == Kind.NONE) {
      only(worker, "network", network, "with a sandbox or an image");
      only(worker, "writable", writable, "with a sandbox or an image");
    }
    if (kind != Kind.BWRAP) {
      only(worker, "hidden", hidden, "with sandbox = \"bwrap\"");
    }
    if (kind != Kind.CONTAINER) {
      only(worker, "image", image, "with sandbox = \"container\"");
      only(worker, "readable", readable, "with an image");
      only(limits, "processes", processes, "with an image");
    }
    Sandbox sandbox =
        switch (kind) {
          case NONE -> new Sandbox.None();
          case BWRAP ->
              new Sandbox.Bubblewrap(
                  network.orElse(true), writable.orElse(List.of()), hidden.orElse(List.of()));
          case CONTAINER ->
              new Sandbox.Container(
                  image.orElseGet(() -> worker.held("image", () -> new ImageName(""))),
                  network.orElse(true),
                  writable.orElse(List.of()),
                  readable.orElse(List.of()),
                  processes);
        };
    Confinement confinement = new Confinement(sandbox, memory, processors);
    if (!confinement.equals(Confinement.NONE)) {
      refuseIfForeign(worker);
    }
    return confinement;
  }

  private static void only(Section where, String key, Optional<?> written, String rule) {
    if (written.isPresent()) {
      refuse(where, key, "only " + rule);
    }
  }

  private static void refuseIfForeign(Section worker) {
    if (worker.text("agent").filter(FOREIGN::equals).isPresent()) {
      refuse(worker, "agent", "one that Midcourse starts, since it is to be confined");
    }
  }

  private static void refuse(Section where, String key, String rule) {
    where.held(
        key,
        () -> {
          throw Problem.invalid(key, rule, key + ": " + rule).refused();
        });
  }

  private static Optional<List<Path>> paths(Section worker, String key) {
    return worker
        .texts(key)
        .map(texts -> texts.stream().map(text -> worker.held(key, () -> path(key, text))).toList());
  }

  /** An absolute path, or one in the user's home. */
  private static Path path(String key, String text) {
    Path path =
        text.startsWith("~/")
            ? Path.of(System.getProperty("user.home"), text.substring(2))
            : Path.of(text);
    if (!path.isAbsolute()) {
      String rule = "absolute paths, or such as begin with ~/";
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
