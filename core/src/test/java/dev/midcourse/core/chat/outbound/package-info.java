@NullMarked
package dev.midcourse.core.chat.outbound;

import org.jspecify.annotations.NullMarked;
