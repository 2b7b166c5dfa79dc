/** The catalogue of all drivers, by name. */
@NullMarked
package dev.midcourse.agents.catalogue;

import org.jspecify.annotations.NullMarked;
