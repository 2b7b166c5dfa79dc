/**
 * The channel of IRC: rooms and direct messages of one network, over a small codec of its own. Not
 * here: when a message is sent and how a long one is split into several ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.irc;

import org.jspecify.annotations.NullMarked;
