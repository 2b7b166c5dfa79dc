/**
 * The built-in agent that needs no model: its driver, the protocol between the two, and the twin
 * that plays it inside the hub for load tests.
 */
@NullMarked
package dev.midcourse.agents.rehearsal;

import org.jspecify.annotations.NullMarked;
