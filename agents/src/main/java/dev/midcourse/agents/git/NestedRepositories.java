package dev.midcourse.agents.git;

import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeSet;

/**
 * The repositories at the places of submodules in the work tree of an agent in a sandbox. Git
 * outside enters them by itself, for example in {@code git status}, and runs the programs that
 * their settings and hooks name. So a repository that was there before the agent started is
 * read-only in the sandbox, and one that the agent has put there is put aside when the agent has
 * ended.
 *
 * @param place a folder of our own that the agent cannot write
 */
record NestedRepositories(Path workTree, GitDirectory repository, Path place) {
  private static final String GIT = ".git";
  private static final String POINTER = "gitdir: ";
  private static final String GITLINK = "160000 ";

  /** Lists the repositories that were there before the agent started. */
  private static final String KNOWN = "known-repositories";

  /** Lists the repositories that were put aside since the agent was started last. */
  private static final String PUT_ASIDE = "repositories-put-aside";

  /** Lists the commits to which branches were moved since the agent was started last. */
  private static final String TIPS = "tips";

  private static final int MAX_TIPS = 50;
  private static final long MAX_INDEX_BYTES = 64L * 1024 * 1024;
  private static final int MAX_POINTER_BYTES = 8_192;
  private static final int MAX_SENTENCES = 20;

  /** Stands for each byte of a name that is not UTF-8. */
  private static final String UNREADABLE = "\uFFFD";

  /**
   * Records the repositories that are there now, and returns them for the sandbox, which mounts
   * them read-only. A repository that the agent before has left is put aside first.
   */
  List<Path> protect() throws IOException {
    List<String> _ = putAside();
    Files.deleteIfExists(place.resolve(PUT_ASIDE));
    Files.deleteIfExists(place.resolve(TIPS));
    List<Path> found = found();
    List<String> keys = new ArrayList<>();
    for (Path git : found) {
      if (git.toString().contains(UNREADABLE)) {
        throw new IOException(git + " cannot be protected from the agent: its name is not UTF-8");
      }
      keys.add(key(git));
    }
    write(KNOWN, keys);
    return found;
  }

  /** Records that a branch of the repository now ends with this commit of the agent. */
  void noteTip(String commit) throws IOException {
    List<String> tips = new ArrayList<>(read(TIPS));
    tips.add(commit);
    write(TIPS, tips.subList(Math.max(0, tips.size() - MAX_TIPS), tips.size()));
  }

  /** Returns a sentence for each repository of the agent, also for those that were put aside. */
  List<String> sentences() throws IOException {
    List<String> sentences = new ArrayList<>(read(PUT_ASIDE));
    for (Path git : strangers()) {
      sentences.add(
          git
              + " is a repository of the agent at the place of a submodule, and git outside would"
              + " use its settings. It is put aside when the agent has ended");
    }
    return sentences.stream().limit(MAX_SENTENCES).toList();
  }

  /**
   * Moves each repository of the agent to a place where git does not look for one. No process of
   * the agent may be alive.
   *
   * @return one sentence for each repository that was moved now
   */
  List<String> putAside() throws IOException {
    List<String> done = new ArrayList<>();
    for (Path git : strangers()) {
      Path now = moved(git, done.size() + 1);
      done.add(
          git
              + " is now "
              + now
              + ": it was a repository of the agent at the place of a submodule, and git outside"
              + " would use its settings");
    }
    if (!done.isEmpty()) {
      List<String> all = new ArrayList<>(read(PUT_ASIDE));
      all.addAll(done);
      write(PUT_ASIDE, all);
    }
    return done;
  }

  /** Without a record no agent was started in a sandbox, and nothing is known about the rest. */
  private List<Path> strangers() throws IOException {
    if (!Files.isRegularFile(place.resolve(KNOWN), LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    Set<String> known = Set.copyOf(read(KNOWN));
    List<Path> strangers = new ArrayList<>();
    for (Path git : found()) {
      if (!known.contains(key(git)) && !leadsToOwnModules(git)) {
        strangers.add(git);
      }
    }
    return strangers;
  }

  /** Returns what tells a file from all others, as long as the file exists. */
  private static String key(Path git) throws IOException {
    if (Files.isSymbolicLink(git)) {
      return "link to " + Files.readSymbolicLink(git);
    }
    return String.valueOf(
        Files.readAttributes(git, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey());
  }

  /**
   * Whether git finds the submodule in the git folder of the repository itself, where the agent
   * cannot write. The steps of the path are folders and not links, so ".." leads to the parent.
   */
  private boolean leadsToOwnModules(Path git) {
    String line =
        AgentFile.text(workTree, workTree.relativize(git), MAX_POINTER_BYTES).orElse("").strip();
    if (!line.startsWith(POINTER) || line.contains("\n")) {
      return false;
    }
    try {
      Path target = Path.of(line.substring(POINTER.length()));
      Path modules = git.resolveSibling(target).normalize();
      return target.equals(target.normalize())
          && (modules.startsWith(repository.own().resolve("modules"))
              || modules.startsWith(repository.common().resolve("modules")));
    } catch (InvalidPathException notAPath) {
      return false;
    }
  }

  /** Returns the file or folder {@code .git} at the place of each submodule that has one. */
  private List<Path> found() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name : submodules()) {
      for (Path submodule : places(name)) {
        Path git = submodule.resolve(GIT);
        if (Files.exists(git, LinkOption.NOFOLLOW_LINKS)) {
          found.add(git);
        }
      }
    }
    return found;
  }

  /**
   * Returns the folder of a name that git has printed. Git does not enter a submodule behind a
   * link. A name that is not UTF-8 may stand for several folders.
   */
  private List<Path> places(String name) throws IOException {
    List<Path> places = List.of(workTree);
    for (String step : name.split("/", -1)) {
      List<Path> next = new ArrayList<>();
      for (Path place : places) {
        for (Path child : children(place, step)) {
          if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
            next.add(child);
          }
        }
      }
      places = next;
    }
    return places;
  }

  private static List<Path> children(Path folder, String name) throws IOException {
    if (!name.contains(UNREADABLE)) {
      return List.of(folder.resolve(name));
    }
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (String.valueOf(entry.getFileName()).equals(name)) {
          children.add(entry);
        }
      }
    }
    return children;
  }

  /**
   * Returns the submodules of the index, of the commit that is checked out, and of the commits of
   * the agent at which a branch has ended.
   */
  private Set<String> submodules() throws IOException {
    Set<String> names = new TreeSet<>();
    Git git = Git.of(repository);
    Path index = repository.own().resolve("index");
    if (Files.isRegularFile(index, LinkOption.NOFOLLOW_LINKS)
        && Files.size(index) <= MAX_INDEX_BYTES) {
      gitlinks(git.at(workTree, index), names, "ls-files", "--stage", "-z");
    }
    Set<String> commits = new LinkedHashSet<>(read(TIPS));
    Git.Result head = git.call("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
    if (head.ok()) {
      commits.add(head.line());
    }
    for (String commit : commits) {
      gitlinks(git, names, "ls-tree", "-r", "-z", "--full-tree", commit);
    }
    return names;
  }

  /** Adds the names of submodules in a listing, which may be larger than other output of git. */
  private void gitlinks(Git git, Set<String> names, String... arguments) throws IOException {
    Path listing = Files.createTempFile(place, "listing", ".tmp");
    try {
      Process process =
          git.process(arguments)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(listing.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (Git.awaitEnd(process) != 0) {
        throw new IOException("the submodules of " + workTree + " cannot be listed");
      }
      try (Scanner lines = new Scanner(listing, StandardCharsets.UTF_8).useDelimiter("\0")) {
        lines
            .tokens()
            .filter(line -> line.startsWith(GITLINK))
            .map(line -> line.substring(line.indexOf('\t') + 1))
            .forEach(names::add);
      }
    } finally {
      Files.deleteIfExists(listing);
    }
  }

  /**
   * Moves a repository into the folder for such files in the clone. On another file system it stays
   * where it is, under another name.
   */
  private Path moved(Path git, int number) throws IOException {
    String time = Instant.now().toString().replace(':', '-');
    Path aside = repository.common().resolve("midcourse/aside").resolve(time);
    Files.createDirectories(aside);
    Path submodule = Optional.ofNullable(git.getParent()).orElseThrow();
    allowWriting(submodule);
    allowWriting(git);
    try {
      return Files.move(git, aside.resolve(number + "-" + submodule.getFileName()));
    } catch (IOException otherFileSystem) {
      return Files.move(git, submodule.resolve("git-put-aside-" + time));
    }
  }

  /** An agent may have taken the permission from its own folder, also to keep it there. */
  private static void allowWriting(Path folder) throws IOException {
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) && !Files.isWritable(folder)) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
      permissions.add(PosixFilePermission.OWNER_WRITE);
      Files.setPosixFilePermissions(folder, permissions);
    }
  }

  private List<String> read(String name) throws IOException {
    Path file = place.resolve(name);
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        ? Files.readString(file).lines().toList()
        : List.of();
  }

  private void write(String name, List<String> lines) throws IOException {
    Path written = Files.createTempFile(place, name, ".new");
    Files.write(written, lines.stream().map(line -> line.replace('\n', ' ')).toList());
    Files.move(written, place.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Turns a failure of the file system into a refusal. */
  static <T> T refusing(Action<T> action) {
    try {
      return action.run();
    } catch (IOException e) {
      throw new RefusedException(
          Git.failed("the repositories of submodules cannot be checked: " + e.getMessage()), e);
    }
  }

  /** Works on files. */
  interface Action<T> {
    T run() throws IOException;
  }
}
