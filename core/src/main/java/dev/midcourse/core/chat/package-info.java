/**
 * Chats and wirings: which worker people may talk to in a chat, and when the worker engages.
 *
 * <p>Not here: people and their roles ({@code core.chat.person}), a message and its decision
 * ({@code core.chat.inbound}, {@code core.chat.route}), requests to let a sender or a chat in
 * ({@code core.chat.approval}), and messages to people ({@code core.chat.outbound}).
 */
@NullMarked
package dev.midcourse.core.chat;

import org.jspecify.annotations.NullMarked;
