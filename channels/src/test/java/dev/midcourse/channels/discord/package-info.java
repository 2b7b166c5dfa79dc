@NullMarked
package dev.midcourse.channels.discord;

import org.jspecify.annotations.NullMarked;
