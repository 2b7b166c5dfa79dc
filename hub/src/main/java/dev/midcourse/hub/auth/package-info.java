/**
 * Identifies callers: by the peer process of the Unix socket, by the token of programs, or by the
 * session of a browser. {@link dev.midcourse.hub.auth.PageSignIn} has the sign-in of the page.
 *
 * <p>What a caller may do is decided in {@code core.authority}.
 */
@NullMarked
package dev.midcourse.hub.auth;

import org.jspecify.annotations.NullMarked;
