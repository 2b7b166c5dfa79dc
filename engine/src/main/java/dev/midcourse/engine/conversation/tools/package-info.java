/**
 * What the agent of a conversation can do in its chats by tools: send messages and files, edit,
 * react, ask. Not here: the protocol by which the agent calls a tool, and the proof of who calls
 * ({@code hub.mcp}, {@code hub.auth}).
 */
@NullMarked
package dev.midcourse.engine.conversation.tools;

import org.jspecify.annotations.NullMarked;
