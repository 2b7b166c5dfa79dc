/**
 * The channel to Discord, for guild channels, threads and direct messages: opens and checks it, and
 * sends messages and reactions. Not here: the HTTP API ({@code channels.discord.api}), what Discord
 * delivers ({@code channels.discord.gateway}), and order, repetition and splitting of messages
 * ({@code channels.outbox}).
 */
@NullMarked
package dev.midcourse.channels.discord;

import org.jspecify.annotations.NullMarked;
