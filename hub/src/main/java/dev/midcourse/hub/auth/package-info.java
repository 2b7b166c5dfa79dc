/**
 * Finds out who calls: by the peer process of the Unix socket, or by the hub's token.
 *
 * <p>What a caller may do is decided in {@code core.authority}.
 */
@NullMarked
package dev.midcourse.hub.auth;

import org.jspecify.annotations.NullMarked;
