/**
 * HTTP/1.1 on a Unix socket and on TCP: the listener, the request handler, rate limits, the check
 * of the origin, and one form of error.
 *
 * <p>Nothing in here knows runs and steers. Sockets are in {@code server}, routes in {@code route}.
 */
@NullMarked
package dev.midcourse.hub.http;

import org.jspecify.annotations.NullMarked;
