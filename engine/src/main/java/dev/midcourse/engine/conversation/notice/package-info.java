/**
 * What platforms tell about chats and connections: moved chats are moved in the ledger, and owners
 * are told of gaps and of channels that have stopped.
 *
 * <p>Not here: messages of people ({@code engine.conversation}).
 */
@NullMarked
package dev.midcourse.engine.conversation.notice;

import org.jspecify.annotations.NullMarked;
