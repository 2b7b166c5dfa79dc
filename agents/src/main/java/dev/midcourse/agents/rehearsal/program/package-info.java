/**
 * The rehearsal agent itself: a program that behaves like a coding agent and needs no model.
 *
 * <p>{@link dev.midcourse.agents.rehearsal.program.Play} is the agent: what it does with a prompt,
 * a steer, an interrupt, and in which order. {@link
 * dev.midcourse.agents.rehearsal.program.RehearsalProgram} plays it in a process of its own, with a
 * real shell and a transcript on disk; the in-process twin plays the same on timers. Nothing here
 * uses a JSON library or anything else that makes a process slow to start.
 */
@NullMarked
package dev.midcourse.agents.rehearsal.program;

import org.jspecify.annotations.NullMarked;
