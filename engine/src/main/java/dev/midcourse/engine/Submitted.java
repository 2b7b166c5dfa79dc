package dev.midcourse.engine;

import dev.midcourse.core.steer.Receipt;

/** The receipt of a steer, and whether the same request had been stored before. */
public record Submitted(Receipt receipt, boolean repeated) {}
