/**
 * Bodies and parameters of requests, bodies of responses, and examples of both. Not here: reading
 * and writing JSON ({@code hub.http.route}, {@code ledger.json}).
 */
@NullMarked
package dev.midcourse.hub.api.json;

import org.jspecify.annotations.NullMarked;
