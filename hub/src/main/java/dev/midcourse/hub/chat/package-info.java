/**
 * Connects conversations with the hub: the workers of the settings, the links to the page, and the
 * messages that could not be sent. Not here: what a message means and what it does ({@code
 * engine.conversation}).
 */
@NullMarked
package dev.midcourse.hub.chat;

import org.jspecify.annotations.NullMarked;
