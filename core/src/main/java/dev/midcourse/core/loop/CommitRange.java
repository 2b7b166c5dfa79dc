package dev.midcourse.core.loop;

/**
 * The commits between which code was changed.
 *
 * @param from the commit before the first change
 * @param to the commit with the last change
 */
public record CommitRange(String from, String to) {}
