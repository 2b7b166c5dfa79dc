package dev.midcourse.core.chat.route;

/** A command in a chat: an exact first word that begins with a slash, and its argument. */
public record ChatCommand(ChatCommandName name, String argument) {}
