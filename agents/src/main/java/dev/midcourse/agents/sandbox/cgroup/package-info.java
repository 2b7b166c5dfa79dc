/**
 * Limits that hold for all processes of a program together, by cgroups of the kernel (version 1 and
 * 2) or by a scope of systemd. Limits of a single process are in {@code sandbox}.
 */
@NullMarked
package dev.midcourse.agents.sandbox.cgroup;

import org.jspecify.annotations.NullMarked;
