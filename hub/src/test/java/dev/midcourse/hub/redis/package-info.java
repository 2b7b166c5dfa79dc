/** Tests with a real Redis server. */
@NullMarked
package dev.midcourse.hub.redis;

import org.jspecify.annotations.NullMarked;
