/**
 * The crash drill: kills hubs at random points while steers are sent. Start at {@link CrashDrill}.
 * Not here: the hub that is killed ({@code proof.crash.hub}), and the checker of what it did
 * ({@code proof.crash.check}).
 */
@NullMarked
package dev.midcourse.proof.crash;

import org.jspecify.annotations.NullMarked;
