/** The tests that run the crash drill of autopilot loops. */
@NullMarked
package dev.midcourse.proof.crash.loop;

import org.jspecify.annotations.NullMarked;
