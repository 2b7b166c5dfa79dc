/**
 * The connection of a channel to its platform: the loop that keeps it open, its stored position,
 * and the lock that keeps a second process from receiving with the same token.
 *
 * <p>Not here: HTTP and sockets ({@code channels.http}).
 */
@NullMarked
package dev.midcourse.channels.connection;

import org.jspecify.annotations.NullMarked;
