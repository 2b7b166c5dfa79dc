/** Tests. */
@NullMarked
package dev.midcourse.gateway.process;

import org.jspecify.annotations.NullMarked;
