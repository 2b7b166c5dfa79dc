/**
 * The rehearsal agent: a program that behaves like a coding agent and needs no model.
 *
 * <p>{@link dev.midcourse.agents.rehearsal.program.Play} is the behaviour of the agent: its
 * reaction to a prompt, a steer or an interrupt, and the order of its steps. {@link
 * dev.midcourse.agents.rehearsal.program.RehearsalProgram} runs it in a separate process, with a
 * real shell and a transcript on disk. The in-process variant runs the same behaviour on timers.
 * This package uses no JSON library and nothing else that makes a process slow to start.
 */
@NullMarked
package dev.midcourse.agents.rehearsal.program;

import org.jspecify.annotations.NullMarked;
