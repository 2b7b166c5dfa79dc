/** Tests of limits for all processes of a program. */
@NullMarked
package dev.midcourse.agents.sandbox.cgroup;

import org.jspecify.annotations.NullMarked;
