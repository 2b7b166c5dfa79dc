@NullMarked
package dev.midcourse.agents.command;

import org.jspecify.annotations.NullMarked;
