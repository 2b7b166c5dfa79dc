/**
 * The filter of system calls, as a program for the kernel (bubblewrap) and as a profile for a
 * container runtime. Starting them with it is not in here.
 */
@NullMarked
package dev.midcourse.agents.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
