/**
 * What an agent can do, what it is told, and what it tells: the words between engine and drivers.
 */
@NullMarked
package dev.midcourse.core.agent;

import org.jspecify.annotations.NullMarked;
