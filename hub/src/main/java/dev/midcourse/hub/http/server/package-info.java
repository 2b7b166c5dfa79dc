/**
 * Accepts connections on TCP and on the Unix socket, with deadlines for slow clients and TLS, and
 * hands requests to Helidon.
 *
 * <p>Routes and their meaning are not in here.
 */
@NullMarked
package dev.midcourse.hub.http.server;

import org.jspecify.annotations.NullMarked;
