/**
 * The state of the full-screen view and its inputs and outputs: keys, messages, effects.
 *
 * <p>Pure functions: no terminal, no hub, no clock.
 */
@NullMarked
package dev.midcourse.cli.watch.model;

import org.jspecify.annotations.NullMarked;
