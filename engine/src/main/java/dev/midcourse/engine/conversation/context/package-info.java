/**
 * What all parts of a conversation share: its services and settings, the plans of workers, and the
 * texts for people. Not here: what happens to a message ({@code engine.conversation}).
 */
@NullMarked
package dev.midcourse.engine.conversation.context;

import org.jspecify.annotations.NullMarked;
