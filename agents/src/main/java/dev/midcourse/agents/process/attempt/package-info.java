/**
 * The data of one attempt on disk: its folder, its files, the marker of its processes, and the
 * records of its start and exit.
 *
 * <p>Plain values and paths. Starting, following and ending processes is not in here.
 */
@NullMarked
package dev.midcourse.agents.process.attempt;

import org.jspecify.annotations.NullMarked;
