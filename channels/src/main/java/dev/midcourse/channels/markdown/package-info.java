/**
 * The forms in which platforms show Markdown: HTML, Slack's mrkdwn, plain text. Not here: splitting
 * a long text, which is done in Markdown ({@code core.chat.outbound}).
 */
@NullMarked
package dev.midcourse.channels.markdown;

import org.jspecify.annotations.NullMarked;
