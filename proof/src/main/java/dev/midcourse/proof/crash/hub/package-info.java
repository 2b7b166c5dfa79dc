/**
 * The hub of the crash drill as a process of its own, with its agent, its store and the points
 * where it is killed. Not here: when it is killed ({@code proof.crash}).
 */
@NullMarked
package dev.midcourse.proof.crash.hub;

import org.jspecify.annotations.NullMarked;
