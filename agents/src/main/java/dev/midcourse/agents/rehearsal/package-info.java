/**
 * The built-in agent that needs no model: its driver, its protocol, and a variant that runs inside
 * the hub for load tests.
 */
@NullMarked
package dev.midcourse.agents.rehearsal;

import org.jspecify.annotations.NullMarked;
