/**
 * Telegram, through its Bot API: updates by long poll or webhook, messages, edits, reactions,
 * buttons, files.
 *
 * <p>Not here: order, repetition and splitting of what is sent ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.telegram;

import org.jspecify.annotations.NullMarked;
