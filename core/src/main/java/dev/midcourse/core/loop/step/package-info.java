/**
 * The step of a loop. {@link dev.midcourse.core.loop.step.LoopStep} is the only place that decides
 * what a loop does next: a pure function from a loop and a fact to the next loop and the acts that
 * follow. Not here: carrying the acts out ({@code autopilot}).
 */
@NullMarked
package dev.midcourse.core.loop.step;

import org.jspecify.annotations.NullMarked;
