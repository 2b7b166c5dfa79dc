/** Who calls: the process behind a Unix socket, whose run it belongs to, and who has the token. */
@NullMarked
package dev.midcourse.hub.who;

import org.jspecify.annotations.NullMarked;
