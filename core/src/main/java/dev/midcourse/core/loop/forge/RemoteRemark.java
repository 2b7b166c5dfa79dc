package dev.midcourse.core.loop.forge;

import dev.midcourse.core.loop.finding.FindingId;
import java.util.Optional;

/**
 * A remark at a forge that is a finding of a loop.
 *
 * @param key the kind and the id of the thread, the review or the comment
 * @param thread the thread in which it is answered; empty for a remark that has none
 * @param answers how often it was answered; a remark that comes again is answered again
 * @param answered whether the newest word is ours
 * @param waits whether it is still open at the forge although it was answered
 */
public record RemoteRemark(
    String key,
    Optional<String> thread,
    FindingId finding,
    int answers,
    boolean answered,
    boolean waits) {

  public static RemoteRemark found(String key, Optional<String> thread, FindingId finding) {
    return new RemoteRemark(key, thread, finding, 0, false, false);
  }

  public RemoteRemark answeredNow() {
    return new RemoteRemark(key, thread, finding, answers + 1, true, true);
  }

  /** Somebody else has the newest word. */
  public RemoteRemark reopened() {
    return new RemoteRemark(key, thread, finding, answers, false, false);
  }

  public RemoteRemark waiting(boolean whether) {
    return new RemoteRemark(key, thread, finding, answers, answered, whether);
  }
}
