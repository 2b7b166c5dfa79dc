/** Soak tests: many runs for a long time must not increase the resources of a hub. */
@NullMarked
package dev.midcourse.proof.soak;

import org.jspecify.annotations.NullMarked;
