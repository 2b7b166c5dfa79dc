/** Tests of the choice of an adapter. */
@NullMarked
package dev.midcourse.autopilot.catalogue;

import org.jspecify.annotations.NullMarked;
