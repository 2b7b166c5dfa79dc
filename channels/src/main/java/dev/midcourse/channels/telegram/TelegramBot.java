package dev.midcourse.channels.telegram;

/**
 * Our own account.
 *
 * @param username without the at sign
 * @param readsGroups whether it gets every message of its groups, and not only those to it
 */
record TelegramBot(String id, String username, boolean readsGroups) {}
