/**
 * Metrics of the hub: the latency of each stage of a steer, counts of runs and processes, and their
 * text for Prometheus.
 *
 * <p>The stages are measured from the log. Nothing in here is on the path of a steer.
 */
@NullMarked
package dev.midcourse.hub.metrics;

import org.jspecify.annotations.NullMarked;
