/** All agents there are drivers for, by name. */
@NullMarked
package dev.midcourse.agents.catalogue;

import org.jspecify.annotations.NullMarked;
