/**
 * Administration of people, roles, chats and wirings, and what there is to see of messages: the
 * operations and their HTTP routes. Not here: receiving a message, deciding an approval and sending
 * ({@code engine.conversation}, {@code channels}).
 */
@NullMarked
package dev.midcourse.hub.api.chat;

import org.jspecify.annotations.NullMarked;
