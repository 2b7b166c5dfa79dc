package dev.midcourse.core.steer;

import java.time.Instant;

/** The end of a steer, with its time and the reason as text. */
public record SteerEnding(SteerEnd how, Instant at, String reason) {}
