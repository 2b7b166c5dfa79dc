/**
 * The channel of Discord: receives over its gateway and history, sends over its HTTP API (version
 * 10), for guild channels, threads and direct messages.
 *
 * <p>Not here: what a message means ({@code core.chat.route}), order, repetition and splitting of
 * what is sent ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.discord;

import org.jspecify.annotations.NullMarked;
