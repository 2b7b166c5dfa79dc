@NullMarked
package dev.midcourse.channels.markdown;

import org.jspecify.annotations.NullMarked;
