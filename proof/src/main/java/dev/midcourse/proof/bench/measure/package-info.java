/**
 * Samples, goals, reports and charts of the benchmarks.
 *
 * <p>Nothing in here starts a hub or an agent.
 */
@NullMarked
package dev.midcourse.proof.bench.measure;

import org.jspecify.annotations.NullMarked;
