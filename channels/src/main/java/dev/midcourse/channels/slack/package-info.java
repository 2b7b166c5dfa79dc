/**
 * The channel to Slack: Socket Mode or the Events API, the web API, and how both look in Slack's
 * JSON.
 *
 * <p>Not here: order, repetition and splitting of messages ({@code channels.outbox}) and what a
 * message means ({@code core.chat.route}).
 */
@NullMarked
package dev.midcourse.channels.slack;

import org.jspecify.annotations.NullMarked;
