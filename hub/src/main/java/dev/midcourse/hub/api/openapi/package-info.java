/**
 * Makes the OpenAPI document from the table of routes, with schemas and checked examples.
 *
 * <p>It changes nothing in the hub.
 */
@NullMarked
package dev.midcourse.hub.api.openapi;

import org.jspecify.annotations.NullMarked;
