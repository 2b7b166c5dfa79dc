/** Where agents' programs are on this machine, and which versions they are. */
@NullMarked
package dev.midcourse.agents.program;

import org.jspecify.annotations.NullMarked;
