/**
 * Micro-benchmarks for code that is too short for a timer. JMH runs them and needs public classes.
 */
@NullMarked
package dev.midcourse.proof.bench.micro;

import org.jspecify.annotations.NullMarked;
