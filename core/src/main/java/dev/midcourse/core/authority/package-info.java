/** Who may do what: one function that every door asks. */
@NullMarked
package dev.midcourse.core.authority;

import org.jspecify.annotations.NullMarked;
