/**
 * The crash drill: hubs killed at random points while steers are sent, and a checker that reads the
 * agents' own transcripts and decides what was lost, doubled, out of order or falsely claimed.
 * Start at {@link CrashDrill}.
 */
@NullMarked
package dev.midcourse.proof.crash;

import org.jspecify.annotations.NullMarked;
