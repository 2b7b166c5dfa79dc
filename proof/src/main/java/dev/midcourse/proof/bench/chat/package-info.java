/** The benchmark of chats: messages of people on their way to agents, and answers to people. */
@NullMarked
package dev.midcourse.proof.bench.chat;

import org.jspecify.annotations.NullMarked;
