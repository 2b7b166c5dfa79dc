/** Authorization: one function decides which caller may do which action, for all interfaces. */
@NullMarked
package dev.midcourse.core.authority;

import org.jspecify.annotations.NullMarked;
