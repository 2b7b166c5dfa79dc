/**
 * The channel to Telegram, through its Bot API: opens and checks it, and sends messages, edits,
 * reactions, buttons and files. Not here: requests to the Bot API ({@code channels.telegram.api}),
 * what Telegram delivers ({@code channels.telegram.receive}), and order, repetition and splitting
 * of messages ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.telegram;

import org.jspecify.annotations.NullMarked;
