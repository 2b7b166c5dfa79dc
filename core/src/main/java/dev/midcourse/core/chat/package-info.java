/**
 * People, chats and wirings: who may talk to which worker, where, and when a worker engages.
 *
 * <p>Not here: a message and its decision ({@code core.chat.inbound}, {@code core.chat.route}),
 * requests to let a sender or a chat in ({@code core.chat.approval}), and messages to people
 * ({@code core.chat.outbound}).
 */
@NullMarked
package dev.midcourse.core.chat;

import org.jspecify.annotations.NullMarked;
