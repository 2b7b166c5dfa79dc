@NullMarked
package dev.midcourse.hub.page;

import org.jspecify.annotations.NullMarked;
