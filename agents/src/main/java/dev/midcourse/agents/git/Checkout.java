package dev.midcourse.agents.git;

import dev.midcourse.core.RefusedException;
import dev.midcourse.core.contract.BranchName;
import dev.midcourse.core.contract.CheckoutState;
import dev.midcourse.core.id.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checkout in which a run works. A reference in the repository records the commit at which a
 * run began. Every method first takes over the commits of an agent in a sandbox, and refuses a
 * checkout whose git files were tampered with.
 */
public record Checkout(Path folder) {
  static final String STARTS = "refs/midcourse/";
  private static final String BRANCHES = "refs/heads/";
  private static final int MAX_COMPLAINTS = 5;

  static String startRef(RunId run) {
    return STARTS + run;
  }

  /** Returns the repository, which has all commits of the agent when this method returns. */
  GitDirectory repository() {
    GitDirectory repository = GitDirectory.ofWorktree(folder);
    PrivateRepository.of(folder, repository).importCommits();
    return repository;
  }

  /** Refuses a checkout or a clone whose git files were tampered with, and names the file. */
  public void check() {
    repository();
  }

  /**
   * Records the current commit as the start of this run. An existing start is replaced only if
   * {@code anew} is set or if the start is no longer an ancestor of the current commit.
   */
  public void markStart(RunId run, boolean anew) {
    GitDirectory repository = repository();
    Git git = Git.of(repository);
    String head = git.must("rev-parse", "--verify", "HEAD^{commit}").line();
    try (ObjectView view = ObjectView.of(repository)) {
      Optional<String> start = commit(git, startRef(run));
      if (anew || start.isEmpty() || !isAncestor(view.git(), start.get(), head)) {
        git.must("update-ref", startRef(run), head);
      }
    }
  }

  static boolean isAncestor(Git git, String earlier, String later) {
    return git.call("merge-base", "--is-ancestor", earlier, later).ok();
  }

  static Optional<String> commit(Git git, String name) {
    Git.Result found = git.call("rev-parse", "--verify", "--quiet", name + "^{commit}");
    return found.ok() ? Optional.of(found.line()) : Optional.empty();
  }

  /**
   * Discards all changes that are not committed, also those of an agent's own git folder, such as
   * an unfinished rebase.
   */
  public void reset() {
    GitDirectory repository = repository();
    PrivateRepository.of(folder, repository).delete();
    Optional<String> head = commit(Git.of(repository), "HEAD");
    try (ObjectView view = ObjectView.of(repository)) {
      Git git = view.at(folder);
      head.ifPresent(tip -> git.must("read-tree", "--reset", "-u", tip));
      git.must("clean", "-fdq");
      replaceIndex(repository, view);
    }
  }

  /** Makes the index of a view the index of the worktree. The index before is not read. */
  static void replaceIndex(GitDirectory repository, ObjectView view) {
    try {
      if (Files.exists(view.index())) {
        Path fresh = Files.createTempFile(repository.own(), "index", ".new");
        Files.copy(view.index(), fresh, StandardCopyOption.REPLACE_EXISTING);
        Files.move(fresh, repository.own().resolve("index"), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new RefusedException(Git.failed("the index cannot be written: " + e.getMessage()), e);
    }
  }

  /** Returns the real state of the checkout, compared with the commit that a completion claims. */
  public CheckoutState inspect(RunId run, BranchName branch, Optional<String> claimed) {
    GitDirectory repository = repository();
    Git references = Git.of(repository);
    Optional<String> tip = commit(references, BRANCHES + branch);
    Optional<String> start = commit(references, startRef(run));
    try (ObjectView view =
        tip.map(at -> ObjectView.withoutIgnoreFile(repository, at))
            .orElseGet(() -> ObjectView.of(repository))) {
      Git git = view.git();
      Optional<String> commit = claimed.flatMap(sha -> commit(git, sha));
      boolean fromStart =
          tip.isPresent() && start.isPresent() && isAncestor(git, start.get(), tip.get());
      return new CheckoutState(
          checkedOutBranch(repository),
          commit,
          tip.isPresent() && commit.equals(tip),
          fromStart,
          tip.isPresent() && isClean(view, tip.get()),
          fromStart ? changed(git, start.get(), tip.get()) : List.of());
    }
  }

  Optional<String> checkedOutBranch(GitDirectory repository) {
    PrivateRepository agents = PrivateRepository.of(folder, repository);
    if (agents.exists()) {
      return agents.checkedOutBranch();
    }
    Git.Result head = Git.of(repository).call("symbolic-ref", "--short", "--quiet", "HEAD");
    return head.ok() ? Optional.of(head.line()) : Optional.empty();
  }

  /**
   * Whether the files are those of the commit. Git reads the objects of changed files, so a commit
   * that lacks objects is not clean.
   *
   * @param view a view of the repository; the user's ignore file need not be in it
   */
  boolean isClean(ObjectView view, String tip) {
    Git git = view.at(folder);
    try (Git.Running ignored = UserIgnoreFile.ask()) {
      git.must("read-tree", tip);
      try (Git.Running changed = git.begin("diff", "--ignore-submodules=all", "--name-only", "-z");
          Git.Running unknown =
              git.with(UserIgnoreFile.variables(ignored))
                  .begin("ls-files", "--others", "--exclude-standard", "-z")) {
        return isEmpty(changed.result()) && isEmpty(unknown.result());
      }
    }
  }

  private static boolean isEmpty(Git.Result result) {
    return result.ok() && result.output().isEmpty();
  }

  private static List<String> changed(Git git, String start, String tip) {
    return git.must(
            "diff", "--ignore-submodules=none", "--name-only", "--no-renames", "-z", start, tip)
        .names();
  }

  /**
   * Removes the checkout and the start references of the selected runs. The branch and its commits
   * stay.
   */
  public void remove(Predicate<RunId> marks) {
    GitDirectory repository = repository();
    PrivateRepository.of(folder, repository).delete();
    Git git = Git.of(new GitDirectory(repository.common(), repository.common()));
    git.must("worktree", "remove", "--force", folder.toString());
    for (String ref : git.must("for-each-ref", "--format=%(refname)", STARTS).lines()) {
      if (run(ref).filter(marks).isPresent()) {
        git.call("update-ref", "-d", ref);
      }
    }
  }

  private static Optional<RunId> run(String ref) {
    try {
      return Optional.of(RunId.of(ref.substring(STARTS.length())));
    } catch (RefusedException notAMark) {
      return Optional.empty();
    }
  }

  /**
   * Returns all changes since the start of the run as a patch. Its first part has the commits of
   * the branch, compared by their objects: exactly what a push would send. A second part, under a
   * line of its own, has what is not committed, except ignored files.
   *
   * @param branch the branch of the run; without one, the commit that is checked out counts
   */
  public Patch diff(RunId run, Optional<BranchName> branch) {
    GitDirectory repository = repository();
    Git references = Git.of(repository);
    String start = references.must("rev-parse", "--verify", startRef(run) + "^{commit}").line();
    String name = branch.map(its -> BRANCHES + its).orElse("HEAD");
    String tip = references.must("rev-parse", "--verify", name + "^{commit}").line();
    try (ObjectView view = ObjectView.of(repository)) {
      List<String> lacking = new ArrayList<>();
      Git.Result committed = view.git().mostOf("diff", "--ignore-submodules=none", start, tip);
      noteCut(committed, "git diff " + start + " " + tip, lacking);
      Git git = view.at(folder);
      git.must("read-tree", tip);
      lacking.addAll(addUntracked(git, view.file("names")));
      Git.Result open = git.mostOf("diff", "--ignore-submodules=all");
      noteCut(open, "git diff", lacking);
      return Patch.of(committed.output(), open.output(), lacking);
    } catch (IOException e) {
      throw new RefusedException(
          Git.failed("the changes cannot be looked at: " + e.getMessage()), e);
    }
  }

  static void noteCut(Git.Result diff, String whole, List<String> lacking) {
    if (!diff.whole()) {
      lacking.add(
          "it has %s%d bytes and is cut here; all of it: %s"
              .formatted(diff.ok() ? "" : "more than ", diff.bytes(), whole));
    }
  }

  /**
   * Adds the untracked files to the index. Returns a message for each part that could not be added.
   * The files are named one by one. If git added whole folders, it would look into nested
   * repositories and run the programs that their settings name.
   */
  private static List<String> addUntracked(Git git, Path names) throws IOException {
    Git.Result found = git.mostOf("ls-files", "--others", "--exclude-standard", "-z");
    if (!found.whole()) {
      return List.of("there are too many files that git does not know");
    }
    List<String> files = new ArrayList<>(found.names());
    List<String> repositories = files.stream().filter(name -> name.endsWith("/")).toList();
    files.removeIf(name -> name.endsWith("/"));
    List<String> lacking = new ArrayList<>();
    repositories.stream()
        .limit(MAX_COMPLAINTS)
        .forEach(name -> lacking.add(name + " is a repository of its own"));
    if (!files.isEmpty()) {
      Files.writeString(names, String.join("\0", files));
      Git.Result added =
          git.call(
              "add",
              "--intent-to-add",
              "--ignore-errors",
              "--pathspec-from-file=" + names,
              "--pathspec-file-nul");
      if (!added.ok()) {
        added
            .complaint()
            .lines()
            .filter(line -> line.startsWith("error:") || line.startsWith("fatal:"))
            .limit(MAX_COMPLAINTS)
            .forEach(lacking::add);
        lacking.add("git cannot read all that is new here");
      }
    }
    return lacking;
  }
}
