/** Tests of the parts of the start of a hub. */
@NullMarked
package dev.midcourse.hub.boot;

import org.jspecify.annotations.NullMarked;
