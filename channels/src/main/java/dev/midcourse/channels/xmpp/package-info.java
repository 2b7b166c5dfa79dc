/**
 * The channel of XMPP: direct messages and rooms of one account, over Smack. Not here: when a
 * message is sent and how a long one is split into several ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.xmpp;

import org.jspecify.annotations.NullMarked;
