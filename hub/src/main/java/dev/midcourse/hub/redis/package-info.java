/**
 * Steers from lists in Redis, and their receipts on streams in Redis. A program pushes an entry to
 * the list {@code steering:SESSION}; the hub stores it as a steer and removes it from Redis.
 * Nothing here decides what a steer may do, and no class is loaded unless the settings name a
 * server.
 */
@NullMarked
package dev.midcourse.hub.redis;

import org.jspecify.annotations.NullMarked;
