/**
 * A channel for other programs: signed HTTP requests in both directions. Not here: the HTTP server
 * ({@code hub}).
 */
@NullMarked
package dev.midcourse.channels.webhook;

import org.jspecify.annotations.NullMarked;
