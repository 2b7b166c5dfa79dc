package dev.midcourse.core.loop;

import java.time.Instant;

/**
 * Why a loop waits for a person, and since when.
 *
 * @param question what the person has to decide, with the ways to do so
 * @param resume the phase in which it goes on
 */
public record Parking(ParkReason reason, String question, LoopPhase resume, Instant since) {}
