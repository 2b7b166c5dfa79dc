/**
 * The merge queue: clean loops that are to land on the same branch, in the order in which they
 * came. {@link dev.midcourse.core.loop.queue.QueueStep} decides what is merged, tested and landed
 * next: a pure function from a queue and a fact to the next queue, the acts, and what the loops
 * learn. Not here: git and CI ({@code autopilot}), the storage ({@code ledger}).
 */
@NullMarked
package dev.midcourse.core.loop.queue;

import org.jspecify.annotations.NullMarked;
