/** Ids as types, each with the one parser that text from outside must pass. */
@NullMarked
package dev.midcourse.core.id;

import org.jspecify.annotations.NullMarked;
