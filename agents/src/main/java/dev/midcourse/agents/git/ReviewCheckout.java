package dev.midcourse.agents.git;

import dev.midcourse.agents.mail.FileTrees;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A checkout of one commit for an agent that reviews it. The files that instruct agents come from
 * the base of the work, because the work under review must not instruct its reviewer.
 */
public final class ReviewCheckout {
  /** The files from which agents read instructions, in every folder of a repository. */
  private static final Pattern INSTRUCTIONS =
      Pattern.compile(
          "(.*/)?((AGENTS|CLAUDE|GEMINI)(\\.local|\\.override)?\\.md|\\.cursorrules|\\.mcp\\.json"
              + "|opencode\\.jsonc?|\\.(claude|codex|gemini|cursor|opencode|pi|agents|copilot)/.*"
              + "|\\.github/(copilot-instructions\\.md|(instructions|prompts|agents)/.*))",
          Pattern.CASE_INSENSITIVE);

  private ReviewCheckout() {}

  /** Creates the checkout. A folder that is left of an earlier try is replaced. */
  public static void create(Repository repository, Path at, String commit, String base) {
    remove(repository, at);
    repository
        .git()
        .must("worktree", "add", "--quiet", "--detach", "--no-checkout", at.toString(), commit);
    GitDirectory made = GitDirectory.ofWorktree(at);
    try (ObjectView view = ObjectView.withoutIgnoreFile(made, commit)) {
      Git files = view.at(at);
      if (commit.equals(base)) {
        files.must("read-tree", "--reset", "-u", commit);
      } else {
        files.must("read-tree", commit);
        replaceInstructions(view, files, commit, base);
        files.must("checkout-index", "--all", "--force", "--quiet");
      }
      Checkout.replaceIndex(made, view);
    }
  }

  /**
   * Removes the instructions of the commit from the index, and adds those of the base. Links and
   * nested repositories are only removed: what they lead to is the work under review.
   */
  private static void replaceInstructions(ObjectView view, Git files, String commit, String base) {
    Set<Entry> ours;
    Set<Entry> theirs;
    try (Git.Running ofCommit = list(view, commit);
        Git.Running ofBase = list(view, base)) {
      theirs = instructions(ofCommit.result());
      ours = instructions(ofBase.result());
      ours.removeIf(it -> !it.isFile());
    }
    if (ours.equals(theirs)) {
      return;
    }
    StringBuilder changes = new StringBuilder();
    theirs.forEach(it -> changes.append("0 ").append(it.object()).append(it.end()));
    ours.forEach(it -> changes.append(it.mode()).append(' ').append(it.object()).append(it.end()));
    try {
      Path input = Files.writeString(view.file("instructions"), changes);
      Git.Result _ = files.mustRead(input, "update-index", "-z", "--index-info");
    } catch (IOException e) {
      throw new RefusedException(
          Git.failed("the instructions cannot be replaced: " + e.getMessage()), e);
    }
  }

  /**
   * Removes the checkout, also one that was only half made: git locks a worktree while it makes it,
   * and does not forget a locked one. Has no effect if there is none.
   */
  public static void remove(Repository repository, Path at) {
    Optional<Path> known = GitDirectory.worktreeAt(repository.common(), at);
    boolean there = Files.isDirectory(at);
    if (known.isEmpty() && !there) {
      return;
    }
    if (known.filter(own -> Files.exists(own.resolve("locked"))).isPresent()) {
      repository.git().call("worktree", "unlock", at.toString());
    }
    if (there) {
      repository.git().call("worktree", "remove", "--force", at.toString());
      FileTrees.delete(at);
    }
    if (known.isEmpty() || Files.exists(known.get())) {
      repository.git().must("worktree", "prune");
    }
  }

  private record Entry(String mode, String object, String path) {
    boolean isFile() {
      return mode.startsWith("100");
    }

    /** Whether agents read instructions from it, or from a folder that it stands for. */
    boolean instructs() {
      return INSTRUCTIONS.matcher(isFile() ? path : path + "/").matches()
          || INSTRUCTIONS.matcher(path).matches();
    }

    /** The end of a line for {@code git update-index --index-info -z}. */
    String end() {
      return "\t" + path + "\0";
    }
  }

  private static Git.Running list(ObjectView view, String commit) {
    return view.git().begin("ls-tree", "-r", "-z", commit);
  }

  /** What instructs agents in a commit: files, links, and nested repositories. */
  private static Set<Entry> instructions(Git.Result listing) {
    Set<Entry> entries = new LinkedHashSet<>();
    for (String line : Git.whole("ls-tree", listing).names()) {
      @Nullable Entry entry = entry(line);
      if (entry != null && entry.instructs()) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** A line is: mode, type and object, a tab, the path. */
  private static @Nullable Entry entry(String line) {
    int tab = line.indexOf('\t');
    String[] fields = line.substring(0, Math.max(tab, 0)).split(" ", -1);
    return fields.length == 3 ? new Entry(fields[0], fields[2], line.substring(tab + 1)) : null;
  }
}
