/**
 * What is known of one attempt on disk: its folder, its files, the marker of its processes, and the
 * record of its start and exit.
 *
 * <p>Plain values and paths. Nothing in here starts, follows or ends a process.
 */
@NullMarked
package dev.midcourse.agents.process.attempt;

import org.jspecify.annotations.NullMarked;
