/**
 * Programs that outlive the hub: starting them, feeding them, following their output, and ending
 * their whole process tree.
 *
 * <p>A program is started into an {@link dev.midcourse.agents.process.AttemptFolder}: its input is
 * a FIFO that the program itself holds open, its output goes to append-only files, its exit status
 * to a file. All that a later hub needs to go on is that folder and the program's {@link
 * dev.midcourse.agents.process.ProcessMarker}. {@link dev.midcourse.agents.process.ProcessHost} is
 * the door. Nothing here knows what a run is, or what the bytes mean.
 */
@NullMarked
package dev.midcourse.agents.process;

import org.jspecify.annotations.NullMarked;
