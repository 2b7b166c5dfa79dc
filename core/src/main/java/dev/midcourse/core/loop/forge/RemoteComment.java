package dev.midcourse.core.loop.forge;

import java.time.Instant;

/**
 * One comment on a change, or in a thread.
 *
 * @param author the login of its author
 * @param bot whether the author is a program
 */
public record RemoteComment(
    String id, String author, boolean bot, String body, Instant createdAt) {}
