package dev.midcourse.agents.git;

import java.util.Map;

/**
 * One commit that has the files of a branch and follows the commit at which the branch leaves its
 * base. The same branch, base and text give the same commit, at any time: its dates and its author
 * are those of the head.
 *
 * @param message the whole message
 * @param name the name of the committer
 * @param email the address of the committer
 */
public record SquashedCommit(String message, String name, String email) {

  /** Writes the commit into the repository and returns its id. No reference is changed. */
  public String create(Repository repository, String head, String base) {
    repository.check();
    Git git = repository.git();
    String parent = git.must("merge-base", base, head).line();
    String tree = git.must("rev-parse", "--verify", head + "^{tree}").line();
    Git dated =
        git.with(
            Map.of(
                "GIT_AUTHOR_NAME",
                field(git, "%an", head, name),
                "GIT_AUTHOR_EMAIL",
                field(git, "%ae", head, email),
                "GIT_AUTHOR_DATE",
                "@" + field(git, "%at", head, "0") + " +0000",
                "GIT_COMMITTER_NAME",
                name,
                "GIT_COMMITTER_EMAIL",
                email,
                "GIT_COMMITTER_DATE",
                "@" + field(git, "%ct", head, "0") + " +0000"));
    return dated.must("commit-tree", tree, "-p", parent, "-m", message.strip()).line();
  }

  private static String field(Git git, String format, String commit, String otherwise) {
    String value = git.must("show", "--no-patch", "--format=" + format, commit).line();
    return value.isBlank() ? otherwise : value;
  }
}
