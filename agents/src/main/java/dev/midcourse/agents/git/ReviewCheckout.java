package dev.midcourse.agents.git;

import dev.midcourse.agents.mail.FileTrees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    try (ObjectView view = ObjectView.of(made)) {
      Git files = view.at(at);
      files.must("read-tree", commit);
      for (Entry entry : instructions(view.git(), commit)) {
        files.must("update-index", "--force-remove", "--", entry.path());
      }
      for (Entry entry : instructions(view.git(), base)) {
        files.must(
            "update-index",
            "--add",
            "--cacheinfo",
            entry.mode() + "," + entry.object() + "," + entry.path());
      }
      files.must("checkout-index", "--all", "--force", "--quiet");
      Checkout.replaceIndex(made, view);
    }
  }

  /**
   * Removes the checkout, also one that was only half made: git locks a worktree while it makes it,
   * and does not forget a locked one. Has no effect if there is none.
   */
  public static void remove(Repository repository, Path at) {
    repository.git().call("worktree", "unlock", at.toString());
    if (Files.isDirectory(at)) {
      repository.git().call("worktree", "remove", "--force", at.toString());
      FileTrees.delete(at);
    }
    repository.git().must("worktree", "prune");
  }

  private record Entry(String mode, String object, String path) {}

  /** The regular files of a commit that instruct agents. */
  private static List<Entry> instructions(Git git, String commit) {
    List<Entry> entries = new ArrayList<>();
    for (String line : git.must("ls-tree", "-r", "-z", commit).names()) {
      @Nullable Entry entry = entry(line);
      if (entry != null && INSTRUCTIONS.matcher(entry.path()).matches()) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** A line is: mode, type and object, a tab, the path. Links are left out. */
  private static @Nullable Entry entry(String line) {
    int tab = line.indexOf('\t');
    String[] fields = line.substring(0, Math.max(tab, 0)).split(" ", -1);
    return fields.length == 3 && fields[0].startsWith("100")
        ? new Entry(fields[0], fields[2], line.substring(tab + 1))
        : null;
  }
}
