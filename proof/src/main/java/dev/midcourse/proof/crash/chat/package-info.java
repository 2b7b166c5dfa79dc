/**
 * The crash drill of chats: hubs killed between receiving, storing, deciding, acknowledging and
 * sending, while people write through a platform that delivers again what was not acknowledged. A
 * checker compares what the people sent, the ledger, the transcripts of the agents and the requests
 * that the platform got. Start at {@link dev.midcourse.proof.crash.chat.ChatDrill}.
 */
@NullMarked
package dev.midcourse.proof.crash.chat;

import org.jspecify.annotations.NullMarked;
