/** How fast and how busy: histograms of a steer's way, counts, and their text for Prometheus. */
@NullMarked
package dev.midcourse.hub.metrics;

import org.jspecify.annotations.NullMarked;
