/**
 * Draws the model of the full-screen view as cells, and writes the cells that differ to the
 * terminal.
 *
 * <p>Nothing in here changes the model.
 */
@NullMarked
package dev.midcourse.cli.watch.view;

import org.jspecify.annotations.NullMarked;
