package dev.midcourse.core.steer;

import java.time.Instant;

/** The end of a steer: how, when, and why in words. */
public record SteerEnding(SteerEnd how, Instant at, String reason) {}
