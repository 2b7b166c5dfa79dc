/**
 * The crash drill of autopilot loops: hubs that end with SIGKILL at the acts of loops and of the
 * merge queue, and a checker that reads the ledger, the repository and the notes of the agents.
 */
@NullMarked
package dev.midcourse.proof.crash.loop;

import org.jspecify.annotations.NullMarked;
