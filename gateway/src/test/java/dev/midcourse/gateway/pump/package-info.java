/** Tests of the pump with real sockets. */
@NullMarked
package dev.midcourse.gateway.pump;

import org.jspecify.annotations.NullMarked;
