package dev.midcourse.agents.sandbox;

import dev.midcourse.agents.git.GitDirectory;
import dev.midcourse.agents.git.PrivateRepository;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Lets a program commit to the repository of its workspace without access to the repository. In the
 * place of the git folder the sandbox gets a private one, with the objects of the repository
 * read-only. So nothing that the program writes is a setting, a hook or a reference outside, and
 * git in the sandbox works without restrictions. The commits are taken over by {@link
 * PrivateRepository}.
 */
final class GitGuard {
  private GitGuard() {}

  /**
   * Prepares and mounts the private repository. Does nothing if the workspace has no repository.
   */
  static void of(Path workspace, Mounts mounts) throws IOException {
    try {
      Optional<PrivateRepository> found = PrivateRepository.of(workspace);
      if (found.isPresent()) {
        mount(workspace, found.get(), mounts);
      }
    } catch (RefusedException refused) {
      throw new IOException(refused.description(), refused);
    }
  }

  private static void mount(Path workspace, PrivateRepository agents, Mounts mounts)
      throws IOException {
    agents.prepare();
    GitDirectory repository = agents.repository();
    Path objects = repository.common().resolve("objects");
    mounts.writableAt(repository.common().toRealPath(), agents.folder());
    mounts.readableAt(real(agents.mountOfSharedObjects()), objects);
    for (Path elsewhere : alternates(objects)) {
      mounts.readable(elsewhere);
    }
    for (Path modules : agents.modules()) {
      mounts.readableAt(real(modules), modules);
    }
    if (repository.isWorktree()) {
      mounts.readable(workspace.resolve(".git"));
    }
  }

  /** Returns the path with a real parent. The path itself exists only in the sandbox. */
  private static Path real(Path path) throws IOException {
    Path parent = path.getParent();
    return parent == null ? path : parent.toRealPath().resolve(path.getFileName());
  }

  /** Returns the other object folders that the user's clone reads. */
  private static List<Path> alternates(Path objects) throws IOException {
    Path file = objects.resolve("info/alternates");
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("/"))
        .map(Path::of)
        .toList();
  }
}
