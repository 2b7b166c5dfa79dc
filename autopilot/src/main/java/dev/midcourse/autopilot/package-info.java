/**
 * Carries autopilot loops out: makes branches and checkouts, starts the runs, reads what came of
 * them, merges. Every act finds what an earlier try has done, so a hub that is killed at any point
 * goes on from there. Not here: what a loop does next ({@code core.loop.step}), git itself ({@code
 * agents.git}).
 */
@NullMarked
package dev.midcourse.autopilot;

import org.jspecify.annotations.NullMarked;
