package dev.midcourse.core.loop.forge;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a loop knows of its change.
 *
 * @param login the login that Midcourse has at the forge; blank before it has signed in
 * @param base the branch into which the change is to be merged
 * @param pushed the newest commit that the hub has pushed, or has taken over
 * @param earlier the commits that were pushed before
 * @param verified the commit that the loop's own CI found green
 * @param seen the head of the newest complete snapshot that was taken into account
 * @param seenBase the base in the newest snapshot
 * @param asked how often a reviewer was asked at the forge
 * @param askedHead the commit for which a reviewer was asked last
 * @param remarks the remarks at the forge, and the findings that they are
 * @param awaited the keys of the acts whose results the loop waits for
 * @param takesOver whether commits of somebody else are being taken over
 * @param activity how much others have written in the change
 * @param quietFrom since when nobody has written anything, while the change is to be merged
 */
public record LoopForge(
    String login,
    Optional<ChangeRef> change,
    String base,
    Optional<String> pushed,
    List<String> earlier,
    Optional<String> verified,
    Optional<String> seen,
    String seenBase,
    boolean draft,
    Mergeability mergeability,
    int asked,
    Optional<String> askedHead,
    List<RemoteRemark> remarks,
    List<String> awaited,
    boolean takesOver,
    int activity,
    Optional<Instant> quietFrom) {
  public LoopForge {
    earlier = List.copyOf(earlier);
    remarks = List.copyOf(remarks);
    awaited = List.copyOf(awaited);
  }

  /** Before anything was asked at the forge. */
  public static LoopForge of(ForgeOrder order, String base) {
    return new LoopForge(
        "",
        Optional.empty(),
        base,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        base,
        order.draft(),
        Mergeability.UNKNOWN,
        0,
        Optional.empty(),
        List.of(),
        List.of(),
        false,
        0,
        Optional.empty());
  }

  public boolean isOurs(String author) {
    return !login.isEmpty() && author.equalsIgnoreCase(login);
  }

  /** Whether a remark of others is open and the next word is theirs. */
  public boolean hasWaiting() {
    return remarks.stream().anyMatch(RemoteRemark::waits);
  }

  public Optional<RemoteRemark> remark(String key) {
    return remarks.stream().filter(it -> it.key().equals(key)).findFirst();
  }
}
