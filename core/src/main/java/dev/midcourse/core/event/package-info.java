/** The events of the append-only log. Every view of a run is built from them. */
@NullMarked
package dev.midcourse.core.event;

import org.jspecify.annotations.NullMarked;
