/**
 * Matrix, over the client-server API: reads unencrypted rooms with sync and writes events.
 *
 * <p>Not here: encryption, and when a message is sent.
 */
@NullMarked
package dev.midcourse.channels.matrix;

import org.jspecify.annotations.NullMarked;
