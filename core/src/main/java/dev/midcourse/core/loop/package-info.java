/**
 * The autopilot: one task that goes on until it is clean, and everything that is known about it. A
 * loop is a record above runs. Not here: what a loop does next ({@code core.loop.step}), the
 * remarks of reviewers ({@code core.loop.finding}), and everything with I/O ({@code autopilot}).
 */
@NullMarked
package dev.midcourse.core.loop;

import org.jspecify.annotations.NullMarked;
