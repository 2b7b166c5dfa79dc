/**
 * The interface between Midcourse and chat platforms. A channel carries messages of people to the
 * listener and messages of Midcourse to people. It knows the platform and nothing of runs, workers
 * or permissions.
 *
 * <p>Not here: what a message means ({@code core.chat.route}), and when a message is sent.
 */
@NullMarked
package dev.midcourse.channels;

import org.jspecify.annotations.NullMarked;
