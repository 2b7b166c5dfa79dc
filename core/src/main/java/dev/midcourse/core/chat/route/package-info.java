/**
 * The decision what a message of a chat means. Everything asks {@code Routing}; nothing decides
 * beside it. Not here: carrying the decision out ({@code engine.conversation}).
 */
@NullMarked
package dev.midcourse.core.chat.route;

import org.jspecify.annotations.NullMarked;
