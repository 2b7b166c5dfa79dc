@NullMarked
package dev.midcourse.core.chat.autopilot;

import org.jspecify.annotations.NullMarked;
