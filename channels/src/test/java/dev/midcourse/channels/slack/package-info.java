@NullMarked
package dev.midcourse.channels.slack;

import org.jspecify.annotations.NullMarked;
