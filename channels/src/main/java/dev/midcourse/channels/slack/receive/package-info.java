/**
 * What Slack delivers, by Socket Mode, the Events API and history: connections, stored position,
 * and readers of its JSON. Not here: what a message means ({@code core.chat.route}).
 */
@NullMarked
package dev.midcourse.channels.slack.receive;

import org.jspecify.annotations.NullMarked;
