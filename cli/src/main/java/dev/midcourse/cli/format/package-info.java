/**
 * Turns events, receipts and run states into lines of text for people.
 *
 * <p>The caller decides where the lines are printed.
 */
@NullMarked
package dev.midcourse.cli.format;

import org.jspecify.annotations.NullMarked;
