/** Tests. */
@NullMarked
package dev.midcourse.gateway.http;

import org.jspecify.annotations.NullMarked;
