/**
 * Channels of platforms in a running hub: opening them with their stored state, their
 * administration, and the requests that platforms make.
 *
 * <p>Not here: conversations ({@code hub.chat}) and the platforms themselves ({@code channels}).
 */
@NullMarked
package dev.midcourse.hub.channel;

import org.jspecify.annotations.NullMarked;
