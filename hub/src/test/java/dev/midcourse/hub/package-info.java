@NullMarked
package dev.midcourse.hub;

import org.jspecify.annotations.NullMarked;
