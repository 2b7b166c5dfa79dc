/**
 * Describes routes: path, request type, response, documentation. The table of routes is also the
 * source of the OpenAPI document.
 *
 * <p>The routes themselves are in {@code hub.api}.
 */
@NullMarked
package dev.midcourse.hub.http.route;

import org.jspecify.annotations.NullMarked;
