package dev.midcourse.agents.git;

import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.core.Problem;
import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The git folder that an agent in a sandbox gets in the place of the repository's own. Nothing that
 * the agent writes there is read by git outside: not its settings, hooks, references or index. Only
 * the commits of its branch are taken over, in the way a push would: as objects whose content is
 * hashed again and whose links are checked.
 *
 * <p>The private folder reads the objects of the repository through a read-only mount. It lives in
 * {@code midcourse/NAME/git} of the repository, on the same file system, and is kept until the
 * checkout is removed, so that a later attempt finds its stash and its unfinished rebase.
 */
public final class PrivateRepository {
  /** The place within the private folder where the sandbox mounts the repository's objects. */
  private static final String SHARED_OBJECTS = "shared-objects";

  private static final String PLACES = "midcourse";

  /** Git finds the entries of the stash in this log; the reference has only the newest one. */
  private static final String STASH_LOG = "logs/refs/stash";

  private static final String BRANCHES = "refs/heads/";

  /** Stands for the branch in a work tree that has a commit checked out without a branch. */
  private static final String DETACHED = "HEAD";

  private static final Pattern PER_WORKTREE =
      Pattern.compile("refs/(bisect|worktree|rewritten)/.*");
  private static final String IMPORTED = "imported";
  private static final int MAX_RECORD_BYTES = 8_192;
  private static final long MAX_INDEX_BYTES = 64L * 1024 * 1024;

  /** One import at a time: it compares and moves the recorded tip. */
  private static final ReentrantLock IMPORTS = new ReentrantLock();

  private final Path workTree;
  private final GitDirectory repository;
  private final Path place;
  private final Path folder;

  private PrivateRepository(Path workTree, GitDirectory repository) {
    this.workTree = workTree;
    this.repository = repository;
    this.place = repository.common().resolve(PLACES).resolve(repository.name());
    this.folder = place.resolve("git");
  }

  /** Returns the private repository of a work tree. Empty if the folder has no repository. */
  public static Optional<PrivateRepository> of(Path workTree) {
    return GitDirectory.of(workTree).map(repository -> new PrivateRepository(workTree, repository));
  }

  static PrivateRepository of(Path workTree, GitDirectory repository) {
    return new PrivateRepository(workTree, repository);
  }

  /**
   * Takes over the commits of the agents that had a private repository in the place of the one of
   * this work tree. Does nothing if no agent had one. Refuses commits that are not whole, and a
   * repository whose git files were tampered with.
   */
  public static void importCommitsOf(Path workTree) {
    if (Files.exists(workTree.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
        && Files.isDirectory(GitDirectory.commonOfClone(workTree).resolve(PLACES))) {
      of(workTree).ifPresent(PrivateRepository::importCommits);
    }
  }

  /**
   * Returns a sentence for each repository that an agent in a sandbox has put at the place of a
   * submodule of this work tree.
   */
  public static List<String> foreignSubmodulesOf(Path workTree) {
    if (Files.exists(workTree.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
        && Files.isDirectory(GitDirectory.commonOfClone(workTree).resolve(PLACES))) {
      return of(workTree)
          .map(its -> NestedRepositories.refusing(() -> its.nested().sentences()))
          .orElse(List.of());
    }
    return List.of();
  }

  private NestedRepositories nested() {
    return new NestedRepositories(workTree, repository, place);
  }

  /**
   * Records the repositories of submodules that are in the work tree when the agent starts, and
   * returns them for the sandbox, which mounts them read-only.
   */
  public List<Path> protectSubmodules() throws IOException {
    return nested().protect();
  }

  /**
   * Puts each repository aside that the agent has put at the place of a submodule. No process of
   * the agent may be alive.
   *
   * @return one sentence for each of them
   */
  public List<String> putForeignSubmodulesAside() {
    return NestedRepositories.refusing(() -> nested().putAside());
  }

  public GitDirectory repository() {
    return repository;
  }

  /** Returns the folder that the sandbox mounts in the place of the repository's git folder. */
  public Path folder() {
    return folder;
  }

  /** Returns where the sandbox mounts the objects of the repository read-only. */
  public Path mountOfSharedObjects() {
    return repository.common().resolve(SHARED_OBJECTS);
  }

  /**
   * Returns the folders of submodules, which the sandbox mounts read-only, because git outside runs
   * the programs that their settings name.
   */
  public List<Path> modules() {
    return List.of(repository.own().resolve("modules")).stream()
        .filter(modules -> Files.isDirectory(modules, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  boolean exists() {
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The branch whose commits are taken over, with the commit that the repository had when they were
   * taken over last. The commit is empty for a branch without commits.
   */
  private record Position(String branch, String commit) {
    private static final Pattern FORM = Pattern.compile("(|HEAD|refs/heads/\\S+) ([0-9a-f]*)");

    static Optional<Position> parse(String line) {
      Matcher parts = FORM.matcher(line);
      return parts.matches()
          ? Optional.of(new Position(parts.group(1), parts.group(2)))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return branch + " " + commit;
    }
  }

  /**
   * Prepares the folder for a start of the agent. A folder of an earlier attempt is kept if its
   * branch is where the repository's branch is; otherwise it is put aside and made anew.
   */
  public void prepare() {
    IMPORTS.lock();
    try {
      if (exists()) {
        importCommits();
        if (tip(current().branch()).equals(current().commit()) && isSound()) {
          refreshReferences();
          return;
        }
        putAside();
      }
      create();
    } catch (IOException e) {
      throw unusable(e);
    } finally {
      IMPORTS.unlock();
    }
  }

  /** Whether the folder has the form of a git folder, so that git can work in it. */
  private boolean isSound() {
    Path packed = folder.resolve("packed-refs");
    return Files.isDirectory(folder.resolve("objects"), LinkOption.NOFOLLOW_LINKS)
        && (Files.isRegularFile(packed, LinkOption.NOFOLLOW_LINKS)
            || Files.notExists(packed, LinkOption.NOFOLLOW_LINKS))
        && Files.isDirectory(own(), LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the folder with HEAD and index of the agent's work tree. */
  private Path own() {
    return repository.isWorktree()
        ? folder.resolve("worktrees").resolve(repository.name())
        : folder;
  }

  private void create() throws IOException {
    Files.createDirectories(place);
    Path made = Files.createTempDirectory(place, "new");
    for (String name : List.of("refs/heads", "refs/tags", "objects/pack", "objects/info")) {
      Files.createDirectories(made.resolve(name));
    }
    Files.createDirectories(made.resolve(SHARED_OBJECTS));
    Files.writeString(made.resolve("objects/info/alternates"), "../" + SHARED_OBJECTS + "\n");
    Path common = repository.common();
    for (String name : List.of("HEAD", "config", "config.worktree", "shallow")) {
      copy(common.resolve(name), made.resolve(name));
    }
    Files.createDirectories(made.resolve("logs/refs"));
    copy(common.resolve(STASH_LOG), made.resolve(STASH_LOG));
    FileTrees.copy(common.resolve("hooks"), made.resolve("hooks"));
    FileTrees.copy(common.resolve("info"), made.resolve("info"));
    Path its = made;
    if (repository.isWorktree()) {
      its = Files.createDirectories(made.resolve("worktrees").resolve(repository.name()));
      for (String name : List.of("HEAD", "commondir", "gitdir", "config.worktree")) {
        copy(repository.own().resolve(name), its.resolve(name));
      }
    }
    copy(repository.own().resolve("index"), its.resolve("index"));
    for (Path modules : modules()) {
      Files.createDirectories(its.resolve(String.valueOf(modules.getFileName())));
    }
    writeReferences(made, references());
    record(current());
    Files.move(made, folder);
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)
        && Files.size(from) <= MAX_INDEX_BYTES) {
      Files.copy(from, to);
    }
  }

  /** Returns the references of the repository, except those of Midcourse and of worktrees. */
  private Map<String, String> references() {
    Map<String, String> references = new TreeMap<>();
    for (String line :
        Git.of(repository).must("for-each-ref", "--format=%(objectname) %(refname)").lines()) {
      int space = line.indexOf(' ');
      String name = line.substring(space + 1);
      if (!name.startsWith(Checkout.STARTS) && !PER_WORKTREE.matcher(name).matches()) {
        references.put(name, line.substring(0, space));
      }
    }
    return references;
  }

  private static void writeReferences(Path git, Map<String, String> references) throws IOException {
    List<String> lines = new ArrayList<>();
    references.forEach((name, commit) -> lines.add(commit + " " + name));
    Path written = Files.createTempFile(git, "packed", ".refs");
    Files.write(written, lines);
    Files.move(written, git.resolve("packed-refs"), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Gives the agent the references that were added or moved in the repository. References that only
   * the agent has stay.
   */
  private void refreshReferences() throws IOException {
    Map<String, String> references = new TreeMap<>(agent().packed());
    references.putAll(references());
    writeReferences(folder, references);
  }

  private AgentReferences agent() {
    return new AgentReferences(folder, folder.relativize(own().resolve("HEAD")));
  }

  /** Returns the branch that the agent has checked out, if any. */
  Optional<String> checkedOutBranch() {
    return agent().branch().map(name -> name.substring(BRANCHES.length()));
  }

  private String tip(String branch) {
    return switch (branch) {
      case "" -> "";
      case DETACHED -> agent().detachedHead().orElse("");
      default -> agent().commit(branch).orElse("");
    };
  }

  private Position current() {
    String branch = headOutside().orElse(DETACHED);
    boolean usable = branch.equals(DETACHED) || branch.startsWith(BRANCHES);
    return usable ? new Position(branch, outside(branch)) : new Position("", "");
  }

  /** Returns the reference that HEAD of the repository refers to. Empty if it is a commit. */
  private Optional<String> headOutside() {
    Git.Result head = Git.of(repository).call("symbolic-ref", "--quiet", "HEAD");
    return head.ok() ? Optional.of(head.line()) : Optional.empty();
  }

  private String outside(String branch) {
    if (branch.equals(DETACHED) && headOutside().isPresent()) {
      return "";
    }
    Git.Result found = Git.of(repository).call("rev-parse", "--verify", "--quiet", branch);
    return found.ok() ? found.line() : "";
  }

  private Optional<Position> recorded() throws IOException {
    return AgentFile.text(place, Path.of(IMPORTED), MAX_RECORD_BYTES)
        .flatMap(line -> Position.parse(line.replace("\n", "")));
  }

  private void record(Position position) throws IOException {
    Path written = Files.createTempFile(place, "imported", ".new");
    Files.writeString(written, position + "\n");
    Files.move(written, place.resolve(IMPORTED), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Takes over the commits of the agent's branch, and a new branch that the agent has checked out.
   * Does nothing if there are none. No other branch of the repository is changed. Refuses commits
   * that are not whole, and a branch that was moved on both sides.
   */
  public void importCommits() {
    IMPORTS.lock();
    try {
      Optional<Position> last = exists() ? recorded() : Optional.empty();
      if (last.isPresent()) {
        importNewBranch(importBranch(last.get()));
      }
    } catch (IOException e) {
      throw unusable(e);
    } finally {
      IMPORTS.unlock();
    }
  }

  private Position importBranch(Position last) throws IOException {
    String tip = tip(last.branch());
    if (tip.isEmpty() || tip.equals(last.commit())) {
      return last;
    }
    String outside = outside(last.branch());
    if (!outside.equals(tip)) {
      if (!outside.equals(last.commit())) {
        throw Problem.of(
                Code.UNAVAILABLE,
                "branch",
                "moved by the agent only",
                ("%s was moved outside the sandbox while the agent worked on it. To drop the agent's"
                        + " commits: midcourse repair RUN")
                    .formatted(last.branch().replaceFirst("^" + BRANCHES, "")))
            .refused();
      }
      new ObjectImport(repository, place, folder.resolve("objects")).take(tip, last.commit());
      move(last.branch(), tip, last.commit());
      updateIndex(last.commit(), tip);
    }
    Position now = new Position(last.branch(), tip);
    record(now);
    return now;
  }

  /** A new branch is created, never moved, and becomes the one that is checked out. */
  private void importNewBranch(Position last) throws IOException {
    Optional<String> head = agent().branch().filter(name -> !name.equals(last.branch()));
    if (head.isEmpty() || !outside(head.get()).isEmpty()) {
      return;
    }
    String tip = tip(head.get());
    if (!tip.isEmpty()) {
      new ObjectImport(repository, place, folder.resolve("objects")).take(tip, last.commit());
      move(head.get(), tip, "");
      Git.of(repository).must("symbolic-ref", "HEAD", head.get());
      updateIndex(last.commit(), tip);
      record(new Position(head.get(), tip));
    }
  }

  private void move(String branch, String tip, String before) throws IOException {
    String none = "0".repeat(tip.length());
    List<String> words =
        new ArrayList<>(List.of("update-ref", "-m", "midcourse: commits of the agent"));
    if (branch.equals(DETACHED)) {
      words.add("--no-deref");
    }
    words.addAll(List.of(branch, tip, before.isEmpty() ? none : before));
    nested().noteTip(tip);
    Git.of(repository).must(words.toArray(String[]::new));
  }

  /**
   * Makes the index outside match the new tip, so that git outside shows only what is not
   * committed. The index of the agent is not used. In a clone of the user the entries that the user
   * has staged stay; if they prevent the change, the index stays as it is.
   */
  private void updateIndex(String before, String tip) throws IOException {
    try (ObjectView view = ObjectView.of(repository)) {
      Path index = repository.own().resolve("index");
      if (!repository.isWorktree()) {
        Git git = view.git().at(workTree, index);
        if (before.isEmpty()) {
          git.call("read-tree", tip);
        } else {
          git.call("read-tree", "-i", "-m", before, tip);
        }
        return;
      }
      view.at(workTree).must("read-tree", tip);
      Path fresh = Files.createTempFile(repository.own(), "index", ".new");
      Files.copy(view.index(), fresh, StandardCopyOption.REPLACE_EXISTING);
      Files.move(fresh, index, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * Moves the folder away, so that the next start gets a new one. Nothing of it is read afterwards.
   *
   * @return where the folder is now, if there was one
   */
  Optional<Path> putAside() {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      Path aside = place.resolve("aside-" + Instant.now().toString().replace(':', '-'));
      Files.move(folder, aside);
      Files.deleteIfExists(place.resolve(IMPORTED));
      return Optional.of(aside);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Deletes the folder and everything that was put aside. */
  void delete() {
    try {
      FileTrees.delete(place);
    } catch (UncheckedIOException e) {
      throw new RefusedException(Git.failed(String.valueOf(e.getMessage())), e);
    }
  }

  private RefusedException unusable(IOException e) {
    return new RefusedException(
        Git.failed("the agent's repository " + folder + " cannot be used: " + e), e);
  }
}
