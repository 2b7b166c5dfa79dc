/** Tests. */
@NullMarked
package dev.midcourse.gateway.record;

import org.jspecify.annotations.NullMarked;
