/** Ids as types. Each type has one parser that checks all text from outside. */
@NullMarked
package dev.midcourse.core.id;

import org.jspecify.annotations.NullMarked;
