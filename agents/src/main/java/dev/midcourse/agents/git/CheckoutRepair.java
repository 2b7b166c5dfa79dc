package dev.midcourse.agents.git;

import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Repairs a clone and a checkout whose git files were tampered with. Each wrong file is moved into
 * {@code midcourse/aside} of the clone, never deleted, and replaced by the file that git writes.
 */
public final class CheckoutRepair {
  private final Path checkout;
  private final Path common;
  private final Path aside;
  private final List<String> done = new ArrayList<>();

  private CheckoutRepair(Path checkout, Path common) {
    this.checkout = checkout;
    this.common = common;
    this.aside =
        common.resolve("midcourse/aside").resolve(Instant.now().toString().replace(':', '-'));
  }

  /**
   * Repairs the checkout and the clone that it belongs to.
   *
   * @return one sentence for each file that was put aside; none if nothing was wrong
   */
  public static List<String> repair(Path checkout, Repository clone) {
    return new CheckoutRepair(checkout, clone.common()).repair();
  }

  /**
   * Repairs the clone that a run without a checkout of its own has worked in.
   *
   * @return one sentence for each file that was put aside; none if nothing was wrong
   */
  public static List<String> repairClone(Path clone) {
    return Files.exists(clone.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
        ? new CheckoutRepair(clone, GitDirectory.commonOfClone(clone)).repair()
        : List.of();
  }

  private List<String> repair() {
    try {
      for (CloneCheck.Finding found : new CloneCheck(common).findings()) {
        repair(found);
      }
      if (Files.isDirectory(checkout, LinkOption.NOFOLLOW_LINKS)) {
        if (!checkout.resolve(".git").equals(common)) {
          repairPointers();
        }
        PrivateRepository.of(checkout).ifPresent(this::repairPrivateRepository);
      }
      return List.copyOf(done);
    } catch (IOException e) {
      throw new RefusedException(Git.failed("the repair failed: " + e.getMessage()), e);
    }
  }

  private void repair(CloneCheck.Finding found) throws IOException {
    boolean readable = found.settings().stream().noneMatch(name -> name.startsWith("("));
    if (found.settings().isEmpty() || !readable) {
      putAside(found.file(), found.how());
      return;
    }
    copyAside(found.file(), found.how());
    for (String name : found.settings()) {
      Git.removeSetting(found.file(), name);
    }
  }

  /** Restores the files with which worktree and repository refer to each other. */
  private void repairPointers() throws IOException {
    Optional<Path> own = own();
    if (own.isEmpty()) {
      throw Git.failed("the clone " + common + " has no worktree for " + checkout).refused();
    }
    restore(checkout.resolve(".git"), "gitdir: " + own.get());
    restore(own.get().resolve("commondir"), "../..");
    restore(own.get().resolve("gitdir"), checkout.resolve(".git").toString());
  }

  /** The folder that git has made for the checkout: named in it, or with the checkout's name. */
  private Optional<Path> own() throws IOException {
    Path all = common.resolve("worktrees");
    if (!Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    String back = checkout.resolve(".git").toString();
    try (Stream<Path> found = Files.list(all)) {
      List<Path> folders = found.toList();
      for (Path folder : folders) {
        Path file = folder.resolve("gitdir");
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Files.readString(file).strip().equals(back)) {
          return Optional.of(folder);
        }
      }
      return folders.stream()
          .filter(folder -> folder.getFileName().equals(checkout.getFileName()))
          .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
          .findFirst();
    }
  }

  private void restore(Path file, String line) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) <= line.length() + 1L
        && Files.readString(file).strip().equals(line)) {
      return;
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      putAside(file, "it named another place");
    } else {
      done.add(file + " was missing and is restored");
    }
    Files.writeString(file, line + "\n");
  }

  /**
   * Puts the agent's repository aside if its commits cannot be taken over, and repositories that
   * the agent has put at the places of submodules.
   */
  private void repairPrivateRepository(PrivateRepository agents) {
    try {
      agents.importCommits();
      done.addAll(agents.putForeignSubmodulesAside());
    } catch (RefusedException damaged) {
      agents
          .putAside()
          .ifPresent(now ->
              done.add(agents.folder() + " is now " + now + ": " + damaged.problem().message()));
    }
  }

  private void putAside(Path file, String how) throws IOException {
    boolean own = file.startsWith(common.resolve(CloneCheck.OWN_FOLDER));
    Path to =
        own
            ? common.resolve("put-aside-" + aside.getFileName() + "-" + file.getFileName())
            : place(file);
    Files.move(file, to);
    done.add(file + " is now " + to + ": " + how);
  }

  private void copyAside(Path file, String how) throws IOException {
    Path to = place(file);
    Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
    done.add(file + " is repaired, its old content is in " + to + ": " + how);
  }

  private Path place(Path file) throws IOException {
    Files.createDirectories(aside);
    return aside.resolve(done.size() + 1 + "-" + file.getFileName());
  }
}
