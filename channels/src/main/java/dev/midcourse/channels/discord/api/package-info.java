/**
 * The HTTP API of Discord (version 10): requests and their bodies, answers, rate limits, ids and
 * places. Not here: the gateway, and what a channel sends ({@code channels.discord.gateway}, {@code
 * channels.discord}).
 */
@NullMarked
package dev.midcourse.channels.discord.api;

import org.jspecify.annotations.NullMarked;
