package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.sandbox.ContainerRuntime.Kind;
import dev.midcourse.agents.sandbox.ContainerRuntime.MissingImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Finds the first runtime that can run a container on this system, and remembers it. */
final class ContainerRuntimes {
  /**
   * The options for Podman, in the order of the attempts: its own settings first, then each of two
   * OCI runtimes.
   */
  private static final List<List<String>> PODMAN_COMMANDS =
      List.of(List.of(), List.of("--runtime=runc"), List.of("--runtime=crun"));

  private final SystemPrograms programs;
  private final AtomicReference<Optional<ContainerRuntime>> working =
      new AtomicReference<>(Optional.empty());

  ContainerRuntimes(SystemPrograms programs) {
    this.programs = programs;
  }

  /**
   * Returns a runtime that has the image and can run it. Throws with the reasons if there is none.
   */
  ContainerRuntime find(ImageName image) throws IOException {
    Optional<ContainerRuntime> known = working.get();
    if (known.isPresent()) {
      known.get().requireImage(image);
      return known.get();
    }
    List<ContainerRuntime> candidates = candidates();
    if (candidates.isEmpty()) {
      throw new MissingDependencyException(
          "the worker's image needs podman or docker, and neither is here: install podman");
    }
    return firstThatWorks(candidates, image);
  }

  private ContainerRuntime firstThatWorks(List<ContainerRuntime> candidates, ImageName image)
      throws IOException {
    List<String> reasons = new ArrayList<>();
    Optional<MissingImage> missing = Optional.empty();
    for (ContainerRuntime candidate : candidates) {
      try {
        candidate.requireImage(image);
        ContainerRuntime filtered = candidate.withFilter();
        filtered.probe(image);
        working.set(Optional.of(filtered));
        return filtered;
      } catch (MissingImage imageless) {
        missing = missing.or(() -> Optional.of(imageless));
      } catch (IOException failure) {
        reasons.add(failure.getMessage());
      }
    }
    if (missing.isPresent()) {
      throw missing.get();
    }
    throw new IOException("no container can be run on this system: " + String.join("; ", reasons));
  }

  private List<ContainerRuntime> candidates() {
    List<ContainerRuntime> candidates = new ArrayList<>();
    programs
        .find(Kind.PODMAN.command())
        .ifPresent(program ->
            PODMAN_COMMANDS.forEach(
                way -> candidates.add(new ContainerRuntime(Kind.PODMAN, program, way))));
    programs
        .find(Kind.DOCKER.command())
        .ifPresent(
            program -> candidates.add(new ContainerRuntime(Kind.DOCKER, program, List.of())));
    return candidates;
  }
}
