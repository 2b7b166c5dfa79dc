/**
 * Evidence for the guarantees: end-to-end, crash, race and load tests, scripted models, benchmarks.
 */
@NullMarked
package dev.midcourse.proof;

import org.jspecify.annotations.NullMarked;
