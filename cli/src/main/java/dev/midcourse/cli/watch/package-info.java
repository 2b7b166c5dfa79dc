/**
 * The full-screen view: a board that messages change, a renderer that turns it into cells, and a
 * thin loop around a terminal. Only the loop and what it asks the hub with touch the world.
 */
@NullMarked
package dev.midcourse.cli.watch;

import org.jspecify.annotations.NullMarked;
