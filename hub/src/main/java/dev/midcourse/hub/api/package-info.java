/**
 * The HTTP routes of the hub. A route translates a request into a call of an operation, and the
 * result into a response. Not here: the operations ({@code hub.api.operation}), and the types of
 * requests and responses ({@code hub.api.json}).
 */
@NullMarked
package dev.midcourse.hub.api;

import org.jspecify.annotations.NullMarked;
