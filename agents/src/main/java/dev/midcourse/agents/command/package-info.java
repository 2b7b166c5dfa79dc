/** Any other program: one call for each turn. */
@NullMarked
package dev.midcourse.agents.command;

import org.jspecify.annotations.NullMarked;
