/**
 * Requests to the Bot API of Telegram and its answers; settings, timings and the sign-in of the
 * bot. Not here: updates and the content of messages ({@code channels.telegram.receive}, {@code
 * channels.telegram}).
 */
@NullMarked
package dev.midcourse.channels.telegram.api;

import org.jspecify.annotations.NullMarked;
