package dev.midcourse.autopilot.forge.gerrit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.autopilot.forge.ForgePush;
import dev.midcourse.autopilot.forge.http.ForgeRequest;
import dev.midcourse.core.json.JsonValue.Obj;
import dev.midcourse.core.loop.forge.ForgeAct;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What makes a push a patch set of one change. Gerrit has no branches of changes: a change is one
 * commit with a {@code Change-Id} in its message, and a push of another commit with the same id is
 * its next patch set. The id follows from project and branch, so that a hub which has forgotten a
 * push finds the change. The description of the patch set names the head that was squashed.
 */
final class GerritPush {
  private static final String HEAD = "midcourse-";
  private static final Pattern DESCRIPTION = Pattern.compile(HEAD + "([0-9a-f]{40,64})");

  private GerritPush() {}

  /**
   * @param isNew whether the push opens the change: only then it may make a draft of it
   */
  static ForgePush of(
      String project,
      ForgeAct.Open change,
      String head,
      boolean isNew,
      String committerName,
      String committerEmail) {
    String text = change.body().isBlank() ? "" : change.body().strip() + "\n\n";
    String message =
        change.title().strip()
            + "\n\n"
            + text
            + "Change-Id: "
            + changeId(project, change.branch())
            + "\n";
    String reference =
        "refs/for/"
            + change.base()
            + "%topic="
            + ForgeRequest.encode(change.branch())
            + ",m="
            + HEAD
            + head
            + (change.draft() && isNew ? ",wip" : "");
    return new ForgePush(
        reference, Optional.of(new ForgePush.Squash(message, committerName, committerEmail)));
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

  /**
   * The head that a patch set was made from; empty if somebody else has made the patch set, or
   * Gerrit itself, by a rebase or an edit.
   */
  static Optional<String> head(Obj revision, String own) {
    Matcher description = DESCRIPTION.matcher(revision.string("description").orElse(""));
    return description.matches() && GerritApi.login(revision.object("uploader")).equals(own)
        ? Optional.of(description.group(1))
        : Optional.empty();
  }
}
