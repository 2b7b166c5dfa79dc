/** Tests of the filter of system calls. */
@NullMarked
package dev.midcourse.agents.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
