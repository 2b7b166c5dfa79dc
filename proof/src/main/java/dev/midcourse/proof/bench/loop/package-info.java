/** The benchmark of autopilot loops: real git, real CI commands, and agents that are scripts. */
@NullMarked
package dev.midcourse.proof.bench.loop;

import org.jspecify.annotations.NullMarked;
