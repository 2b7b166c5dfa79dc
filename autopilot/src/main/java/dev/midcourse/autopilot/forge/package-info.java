/**
 * Forges behind one interface: {@link Forge}. One package below for each kind. Not here: what a
 * loop does with what a forge says ({@code core.loop.step}), when a forge is asked ({@code
 * autopilot}), and pushes, which are git's.
 */
@NullMarked
package dev.midcourse.autopilot.forge;

import org.jspecify.annotations.NullMarked;
