/** What a worker's programs may reach and use, and how that is made to hold on this system. */
@NullMarked
package dev.midcourse.agents.sandbox;

import org.jspecify.annotations.NullMarked;
