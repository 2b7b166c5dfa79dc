/**
 * Conversations of people with workers. {@code ConversationService} takes the messages and clicks
 * of all channels; in one transaction it reads the context of a message, asks {@code Routing} for
 * its meaning, stores the message with the decision, and carries the decision out. {@code
 * ConversationReporter} follows the log and puts answers, progress and reactions into the outbox.
 *
 * <p>Not here: the decision itself ({@code core.chat.route}), and sending ({@code
 * channels.outbox}).
 */
@NullMarked
package dev.midcourse.engine.conversation;

import org.jspecify.annotations.NullMarked;
