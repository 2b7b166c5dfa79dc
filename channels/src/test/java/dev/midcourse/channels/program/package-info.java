@NullMarked
package dev.midcourse.channels.program;

import org.jspecify.annotations.NullMarked;
