package dev.midcourse.core.steer;

import java.time.Instant;

/** A rung that was reached: when, in which attempt (0: before any), and what proved it. */
public record RungClaim(Rung rung, Instant at, int attempt, String evidence) {}
