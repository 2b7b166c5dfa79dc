@NullMarked
package dev.midcourse.hub.who;

import org.jspecify.annotations.NullMarked;
