package dev.midcourse.channels.telegram.api;

/**
 * Our own account.
 *
 * @param username without the at sign
 * @param readsGroups whether it gets every message of its groups, and not only those to it
 */
public record TelegramBot(String id, String username, boolean readsGroups) {}
