/** Tests. */
@NullMarked
package dev.midcourse.gateway.read;

import org.jspecify.annotations.NullMarked;
