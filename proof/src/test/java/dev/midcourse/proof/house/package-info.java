/**
 * Evidence about the house itself: what each room may know, the launcher, and what the README
 * promises.
 */
@NullMarked
package dev.midcourse.proof.house;

import org.jspecify.annotations.NullMarked;
