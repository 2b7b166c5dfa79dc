/**
 * The sections of workers: their limits and sandboxes. Not here: starting a worker ({@code agents},
 * {@code engine.queue}).
 */
@NullMarked
package dev.midcourse.hub.settings.worker;

import org.jspecify.annotations.NullMarked;
