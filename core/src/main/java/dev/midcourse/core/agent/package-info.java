/**
 * The capabilities, events and usage of agents: the terms that the engine and the drivers share.
 */
@NullMarked
package dev.midcourse.core.agent;

import org.jspecify.annotations.NullMarked;
