/**
 * Turns events, receipts and run states into lines of text for people.
 *
 * <p>Where the lines are printed is decided by the caller.
 */
@NullMarked
package dev.midcourse.cli.format;

import org.jspecify.annotations.NullMarked;
