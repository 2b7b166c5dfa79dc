/**
 * What a snapshot of a change means for a loop: its remarks, the verdict of a reviewer, the verdict
 * of CI. Pure functions. Not here: the snapshot itself ({@code core.loop.forge}), and what a loop
 * does next ({@code core.loop.step}).
 */
@NullMarked
package dev.midcourse.core.loop.remote;

import org.jspecify.annotations.NullMarked;
