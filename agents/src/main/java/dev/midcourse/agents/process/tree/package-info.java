/**
 * Finds all processes of one attempt and ends them.
 *
 * <p>A process belongs to an attempt by its ancestors, its session or the marker in its
 * environment. Starting processes is not in here.
 */
@NullMarked
package dev.midcourse.agents.process.tree;

import org.jspecify.annotations.NullMarked;
