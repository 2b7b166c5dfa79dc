package dev.midcourse.engine;

import dev.midcourse.core.steer.Receipt;
import java.time.Instant;

/**
 * The receipt of a steer.
 *
 * @param repeated the same request had been stored before
 * @param durable the moment from which the store answers for it, as the one who wrote it saw it
 */
public record SubmitResult(Receipt receipt, boolean repeated, Instant durable) {}
