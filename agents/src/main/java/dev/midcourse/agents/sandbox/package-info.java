/**
 * Isolation and resource limits of a worker's programs, and the programs of this system that
 * enforce them. Not here: which folders a program sees ({@code agents.sandbox.mount}), limits of a
 * whole process tree ({@code agents.sandbox.cgroup}), and system calls ({@code
 * agents.sandbox.seccomp}).
 */
@NullMarked
package dev.midcourse.agents.sandbox;

import org.jspecify.annotations.NullMarked;
