package dev.midcourse.autopilot.forge.gerrit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.http.ForgeRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What makes a push a patch set of one change. Gerrit has no branches of changes: a change is one
 * commit with a {@code Change-Id} in its message, and a push of another commit with the same id is
 * its next patch set. So the commits of a branch are squashed into one ({@code SquashedCommit} in
 * {@code agents.git}) with this message and committer, and pushed to this target. The id follows
 * from project and branch, so that a hub which has forgotten a push finds the change.
 *
 * @param message the message of the commit, with the id of the change
 * @param committerName must be the name of the account: Gerrit accepts no other committer
 * @param target the reference to push to, with its options
 */
public record GerritPush(
    String changeId, String message, String committerName, String committerEmail, String target) {

  /** Describes the push of a branch. Only the push that opens a change can make it a draft. */
  static GerritPush of(
      String project,
      String branch,
      String base,
      String title,
      String body,
      boolean draft,
      String committerName,
      String committerEmail) {
    String id = changeId(project, branch);
    String text = body.isBlank() ? "" : body.strip() + "\n\n";
    return new GerritPush(
        id,
        title.strip() + "\n\n" + text + "Change-Id: " + id + "\n",
        committerName,
        committerEmail,
        "refs/for/" + base + "%topic=" + ForgeRequest.encode(branch) + (draft ? ",wip" : ""));
  }

  /** The id of the change that is opened for a branch. */
  static String changeId(String project, String branch) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest((project + "\0" + branch).getBytes(UTF_8));
      return "I" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-1", impossible);
    }
  }

  /** The argument of {@code git push} for a commit. */
  public String refspec(String commit) {
    return commit + ":" + target;
  }

  /** Whether the output of a refused push says that this commit was pushed before. */
  public static boolean isPublished(String output) {
    return output.contains("no new changes");
  }
}
