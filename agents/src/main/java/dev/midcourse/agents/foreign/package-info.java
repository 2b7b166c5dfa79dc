/**
 * Workers that Midcourse does not start: any program or container that reads and writes the files
 * of a mailbox.
 */
@NullMarked
package dev.midcourse.agents.foreign;

import org.jspecify.annotations.NullMarked;
