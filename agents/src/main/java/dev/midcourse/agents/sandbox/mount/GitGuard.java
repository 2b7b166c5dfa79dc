package dev.midcourse.agents.sandbox.mount;

import dev.midcourse.agents.git.GitDirectory;
import dev.midcourse.agents.git.PrivateRepository;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets a program commit to the repository of its workspace without access to the repository. In the
 * place of the git folder the sandbox gets a private one, with the objects of the repository
 * read-only. So nothing that the program writes is a setting, a hook or a reference outside, and
 * git in the sandbox works without restrictions. The commits are taken over by {@link
 * PrivateRepository}.
 */
public final class GitGuard {
  private final Path workspace;
  private final List<Path> writable;
  private final Mounts mounts;

  private GitGuard(Path workspace, List<Path> writable, Mounts mounts) {
    this.workspace = workspace;
    this.writable = writable;
    this.mounts = mounts;
  }

  /**
   * Prepares and mounts the private repository. Does nothing if the workspace has no repository.
   *
   * @param writable the folders that programs in this sandbox can write. A repository in one of
   *     them may be the work of an agent, so no mount is made because of what it says
   */
  public static void of(Path workspace, List<Path> writable, Mounts mounts) throws IOException {
    try {
      Optional<PrivateRepository> found = PrivateRepository.of(workspace);
      if (found.isPresent()) {
        new GitGuard(workspace, real(writable), mounts).mount(found.get());
      }
    } catch (RefusedException refused) {
      throw new IOException(refused.description(), refused);
    }
  }

  private void mount(PrivateRepository agents) throws IOException {
    agents.prepare();
    GitDirectory repository = agents.repository();
    Path common = repository.common().toRealPath();
    boolean agentsOwn = isWritable(common);
    Path objects = common.resolve("objects").toRealPath();
    if (agentsOwn) {
      requireShown(objects, common);
    }
    mounts.writableAt(common, agents.folder());
    mounts.readableAt(real(agents.mountOfSharedObjects()), objects);
    for (Path elsewhere : repository.alternates()) {
      if (!agentsOwn) {
        mounts.readable(elsewhere);
      } else if (Files.exists(elsewhere)) {
        requireShown(elsewhere.toRealPath(), common);
      }
    }
    for (Path modules : agents.modules()) {
      mounts.readableAt(real(modules), modules);
    }
    for (Path submodule : agents.protectSubmodules()) {
      if (Files.isSymbolicLink(submodule)) {
        requireProtected(submodule, agents);
      } else {
        mounts.readable(submodule);
      }
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

  private static List<Path> real(List<Path> folders) throws IOException {
    List<Path> real = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.exists(folder)) {
        real.add(folder.toRealPath());
      }
    }
    return real;
  }

  private boolean isWritable(Path real) {
    return writable.stream().anyMatch(real::startsWith);
  }

  /** Refuses a folder of objects that the sandbox does not show without this repository. */
  private void requireShown(Path objects, Path common) throws IOException {
    if (!mounts.shows(objects)) {
      throw new IOException(
          ("the repository %s takes objects from %s, which the sandbox does not show. An agent can"
                  + " have written this. If it is meant, add the folder to `visible` (bwrap) or"
                  + " `readable` (container) of the worker")
              .formatted(common, objects));
    }
  }

  /**
   * Refuses a link in the place of a submodule's repository to a folder that the program can write.
   * A link to another folder needs no mount: the program cannot write there.
   */
  private void requireProtected(Path link, PrivateRepository agents) throws IOException {
    if (Files.exists(link)) {
      Path target = link.toRealPath();
      boolean own = agents.modules().stream().anyMatch(target::startsWith);
      if (!own && isWritable(target)) {
        throw new IOException(
            ("%s is a link to %s, which the agent can write, and git outside would use its settings:"
                    + " replace the link with the repository")
                .formatted(link, target));
      }
    }
  }
}
