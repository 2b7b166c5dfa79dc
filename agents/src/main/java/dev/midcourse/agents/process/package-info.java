/**
 * Hosts programs that outlive the hub: starts them, writes to their input, follows their output,
 * and ends their whole process tree.
 *
 * <p>A program is started in an {@link dev.midcourse.agents.process.attempt.AttemptFolder}. Its
 * input is a FIFO that the program itself holds open. Its output is in append-only files and its
 * exit status is in a file. A later hub needs only that folder and the program's {@link
 * dev.midcourse.agents.process.attempt.ProcessMarker} to continue. {@link
 * dev.midcourse.agents.process.ProcessHost} is the entry point. Runs and the meaning of the bytes
 * are not in here.
 */
@NullMarked
package dev.midcourse.agents.process;

import org.jspecify.annotations.NullMarked;
