/** Who is there: the workers that are declared, and the groups with their roles. */
@NullMarked
package dev.midcourse.hub.crew;

import org.jspecify.annotations.NullMarked;
