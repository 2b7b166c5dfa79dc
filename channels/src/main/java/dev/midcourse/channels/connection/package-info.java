/**
 * The connection of a channel to its platform: the loop that keeps it open, its stored position,
 * the lock that keeps a second process from receiving with the same token, the delivery of updates
 * that a platform gives once, and the authorities that are trusted in TLS.
 *
 * <p>Not here: HTTP and sockets ({@code channels.http}).
 */
@NullMarked
package dev.midcourse.channels.connection;

import org.jspecify.annotations.NullMarked;
