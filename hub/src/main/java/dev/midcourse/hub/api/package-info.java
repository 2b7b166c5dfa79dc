/**
 * The operations of the hub and the HTTP routes that call them.
 *
 * <p>{@code HubOperations} has the one implementation of each use case. A route translates a
 * request into a call of it, and the result into a response.
 */
@NullMarked
package dev.midcourse.hub.api;

import org.jspecify.annotations.NullMarked;
