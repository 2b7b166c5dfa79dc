/**
 * Files and settings of the process at start: data folder, log file, hub file, hidden paths.
 *
 * <p>The main class and the running hub are in {@code dev.midcourse.hub}.
 */
@NullMarked
package dev.midcourse.hub.boot;

import org.jspecify.annotations.NullMarked;
