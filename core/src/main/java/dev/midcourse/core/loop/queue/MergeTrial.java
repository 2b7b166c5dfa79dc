package dev.midcourse.core.loop.queue;

import dev.midcourse.core.id.LoopId;
import dev.midcourse.core.id.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One try to land the first loops of a queue together.
 *
 * @param number counts the trials of the queue from 1
 * @param members the loops, in their order
 * @param base the commit of the base onto which they are merged; empty before the merge is made
 * @param merged the result of the merge, which is tested
 * @param green whether the result was tested, and is to become the base
 * @param due when a person is asked because the test has not ended
 */
public record MergeTrial(
    int number,
    List<LoopId> members,
    Optional<String> base,
    Optional<String> merged,
    boolean green,
    Optional<Instant> due) {
  public MergeTrial {
    members = List.copyOf(members);
  }

  static MergeTrial begun(int number, List<LoopId> members) {
    return new MergeTrial(
        number, members, Optional.empty(), Optional.empty(), false, Optional.empty());
  }

  MergeTrial merged(List<LoopId> which, String onto, String result, Instant deadline) {
    return new MergeTrial(
        number, which, Optional.of(onto), Optional.of(result), false, Optional.of(deadline));
  }

  MergeTrial passed() {
    return new MergeTrial(number, members, base, merged, true, Optional.empty());
  }

  public boolean isTesting() {
    return merged.isPresent() && !green;
  }

  /** The run that tests the merge. */
  public RunId run() {
    return RunId.of(members.getFirst() + "-merge-" + number);
  }
}
