/**
 * The reports that a run of CI leaves in its checkout: found, bounded, and read as findings. They
 * come from code under test: no declaration and no link in them is followed. Not here: the forms of
 * JSON reports ({@code core.loop.finding}), and what a red CI means ({@code core.loop.step}).
 */
@NullMarked
package dev.midcourse.autopilot.report;

import org.jspecify.annotations.NullMarked;
