package dev.midcourse.engine;

import dev.midcourse.core.steer.Receipt;
import java.time.Instant;

/**
 * The result of storing a steer.
 *
 * @param repeated whether the same request was stored before
 * @param durable when the writer saw that the steer was durable
 */
public record SubmitResult(Receipt receipt, boolean repeated, Instant durable) {}
