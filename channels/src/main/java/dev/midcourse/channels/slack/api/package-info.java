/**
 * The web API of Slack: requests, errors, ids, names, files, and its form of text. Not here:
 * events, and what a channel sends ({@code channels.slack.receive}, {@code channels.slack}).
 */
@NullMarked
package dev.midcourse.channels.slack.api;

import org.jspecify.annotations.NullMarked;
