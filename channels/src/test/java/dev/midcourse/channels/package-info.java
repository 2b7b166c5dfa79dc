@NullMarked
package dev.midcourse.channels;

import org.jspecify.annotations.NullMarked;
