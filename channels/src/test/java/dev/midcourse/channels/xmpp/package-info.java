@NullMarked
package dev.midcourse.channels.xmpp;

import org.jspecify.annotations.NullMarked;
