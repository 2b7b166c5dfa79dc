@NullMarked
package dev.midcourse.engine.conversation;

import org.jspecify.annotations.NullMarked;
