/**
 * Benchmarks that measure the machine at hand: one class per benchmark, all listed in {@code Main}.
 */
@NullMarked
package dev.midcourse.proof.bench;

import org.jspecify.annotations.NullMarked;
