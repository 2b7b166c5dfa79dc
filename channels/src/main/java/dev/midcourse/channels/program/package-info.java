/**
 * Channels of other programs: a program that Midcourse starts, and that speaks JSON lines on its
 * standard input and output. {@code docs/channels/program.md} describes the lines.
 *
 * <p>Not here: the form of updates and requests in these lines ({@code channels.wire}).
 */
@NullMarked
package dev.midcourse.channels.program;

import org.jspecify.annotations.NullMarked;
