/**
 * Reads {@code midcourse.toml} and the arguments of the hub into typed settings: agents, workers,
 * limits, sandboxes.
 *
 * <p>Each error names file, line and rule. Nothing in here starts anything.
 */
@NullMarked
package dev.midcourse.hub.settings;

import org.jspecify.annotations.NullMarked;
