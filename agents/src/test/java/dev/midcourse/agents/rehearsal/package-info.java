@NullMarked
package dev.midcourse.agents.rehearsal;

import org.jspecify.annotations.NullMarked;
