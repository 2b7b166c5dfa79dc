/** The driver of any other program, which is called once for each turn. */
@NullMarked
package dev.midcourse.agents.command;

import org.jspecify.annotations.NullMarked;
