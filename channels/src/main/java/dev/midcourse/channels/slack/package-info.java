/**
 * The channel to Slack: opens and checks it, and sends messages, files and reactions. Not here: the
 * web API ({@code channels.slack.api}), what Slack delivers ({@code channels.slack.receive}), and
 * order, repetition and splitting of messages ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.slack;

import org.jspecify.annotations.NullMarked;
