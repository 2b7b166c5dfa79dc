/**
 * The process of the gateway as a hub sees it: its folder, its start, and its adoption by the next
 * hub.
 *
 * <p>The program itself is in {@code gateway}.
 */
@NullMarked
package dev.midcourse.gateway.process;

import org.jspecify.annotations.NullMarked;
