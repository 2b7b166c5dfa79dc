@NullMarked
package dev.midcourse.agents.rehearsal.program;

import org.jspecify.annotations.NullMarked;
