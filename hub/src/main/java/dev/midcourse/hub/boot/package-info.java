/**
 * Starts the hub: data folder, log file, hub file, drivers, and the main class.
 *
 * <p>The running hub is {@link dev.midcourse.hub.Hub}.
 */
@NullMarked
package dev.midcourse.hub.boot;

import org.jspecify.annotations.NullMarked;
