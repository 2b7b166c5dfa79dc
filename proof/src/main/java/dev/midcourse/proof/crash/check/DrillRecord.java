package dev.midcourse.proof.crash.check;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests of a drill and the answers of the hubs. A request without an answer may have had its
 * effect: its hub may have been killed before it answered.
 *
 * @param refused what was turned away for good, with the code of the reason
 * @param withdrawals ids whose withdrawal was asked for
 * @param withdrawn those of which a hub said that it was done
 * @param edits the new texts by id
 * @param edited the ids of which a hub said that it was done
 * @param stops runs whose stop was asked for
 * @param stopping those of which a hub said that the stop is kept
 */
public record DrillRecord(
    List<SentSteer> stored,
    Map<SentSteer, String> refused,
    Set<String> withdrawals,
    Set<String> withdrawn,
    Map<String, String> edits,
    Set<String> edited,
    Set<String> stops,
    Set<String> stopping) {}
