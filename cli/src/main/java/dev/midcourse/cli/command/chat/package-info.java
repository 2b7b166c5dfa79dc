/**
 * Commands about people, chats, wirings, approvals and messages. They print what the hub answers;
 * the hub decides.
 */
@NullMarked
package dev.midcourse.cli.command.chat;

import org.jspecify.annotations.NullMarked;
