package dev.midcourse.core.steer;

import java.time.Instant;

/**
 * A rung that a steer reached, with its evidence.
 *
 * @param attempt the attempt that reached it; 0 before the first attempt
 */
public record RungClaim(Rung rung, Instant at, int attempt, String evidence) {}
