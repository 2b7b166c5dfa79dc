@NullMarked
package dev.midcourse.channels.telegram;

import org.jspecify.annotations.NullMarked;
