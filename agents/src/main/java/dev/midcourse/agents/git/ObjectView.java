package dev.midcourse.agents.git;

import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A temporary git folder that has only the objects of a repository and settings of our own. Git
 * reads nothing else there: no settings, references, attributes, grafts or index of the repository.
 * So the result of a comparison depends only on the objects, as in the repository that a push goes
 * to.
 */
final class ObjectView implements AutoCloseable {
  private static final int SHA256_DIGITS = 64;
  private static final long MAX_COPIED_BYTES = 4L * 1024 * 1024;

  private final Path folder;

  private ObjectView(Path folder) {
    this.folder = folder;
  }

  /** Opens a view of all objects of the repository. Close deletes the view. */
  static ObjectView of(GitDirectory repository) {
    return opened(repository, Optional.empty(), Optional.empty());
  }

  /**
   * Opens a view of all objects of the repository, without the ignore file of the user. Calls no
   * git: the length of the commit's id says how objects are named.
   */
  static ObjectView withoutIgnoreFile(GitDirectory repository, String commit) {
    return opened(repository, Optional.empty(), Optional.of(commit));
  }

  /**
   * Opens a view of the objects of the repository and of further objects that the caller puts into
   * {@link #objects()}, in a new folder within {@code parent}.
   */
  static ObjectView within(Path parent, GitDirectory repository) {
    return opened(repository, Optional.of(parent), Optional.empty());
  }

  private static ObjectView opened(
      GitDirectory repository, Optional<Path> parent, Optional<String> commit) {
    try {
      Path folder =
          parent.isPresent()
              ? Files.createTempDirectory(parent.get(), "view")
              : Files.createTempDirectory("midcourse-view");
      ObjectView view = new ObjectView(folder);
      try {
        view.fill(repository, commit);
        return view;
      } catch (IOException | RefusedException failed) {
        view.close();
        throw failed;
      }
    } catch (IOException e) {
      throw new RefusedException(
          Git.failed("the objects of " + repository.common() + " cannot be read: " + e), e);
    }
  }

  private void fill(GitDirectory repository, Optional<String> commit) throws IOException {
    Files.createDirectories(folder.resolve("objects/info"));
    Files.createDirectories(folder.resolve("objects/pack"));
    Files.createDirectories(folder.resolve("refs"));
    Files.createDirectories(folder.resolve("info"));
    Files.writeString(folder.resolve("HEAD"), "ref: refs/heads/none\n");
    Files.writeString(
        folder.resolve("objects/info/alternates"),
        quoted(repository.common().resolve("objects").toString()) + "\n");
    copy(repository.common().resolve("shallow"), folder.resolve("shallow"));
    copy(repository.common().resolve("info/exclude"), folder.resolve("info/exclude"));
    Files.writeString(
        folder.resolve("config"),
        commit.isPresent()
            ? settings(commit.get().length() == SHA256_DIGITS)
            : settings(repository));
  }

  private static String settings(GitDirectory repository) {
    boolean sha256 =
        Git.of(repository).must("rev-parse", "--show-object-format").line().equals("sha256");
    String ignored =
        UserIgnoreFile.path()
            .map(file -> "[core]\n\texcludesFile = " + quoted(file.toString()) + "\n")
            .orElse("");
    return settings(sha256) + ignored;
  }

  private static String settings(boolean sha256) {
    return "[core]\n\tbare = true\n"
        + (sha256
            ? "\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n"
            : "\trepositoryFormatVersion = 0\n");
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)
        && Files.size(from) <= MAX_COPIED_BYTES) {
      Files.copy(from, to);
    }
  }

  /** Returns a git without a work tree. */
  Git git() {
    return Git.bare(folder);
  }

  /** Returns a git for the files of a work tree, with an index of this view. */
  Git at(Path workTree) {
    return git().at(workTree, index());
  }

  Path index() {
    return folder.resolve("index");
  }

  Path objects() {
    return folder.resolve("objects");
  }

  /** Returns a path for a file that close deletes. */
  Path file(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() {
    FileTrees.delete(folder);
  }
}
