@NullMarked
package dev.midcourse.channels.irc;

import org.jspecify.annotations.NullMarked;
