/**
 * Finds what a request names: a run or steer by a part of its id, an agent, a worker. Not here:
 * whether the caller may use it ({@code hub.api.access}).
 */
@NullMarked
package dev.midcourse.hub.api.lookup;

import org.jspecify.annotations.NullMarked;
