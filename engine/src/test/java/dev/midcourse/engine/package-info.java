@NullMarked
package dev.midcourse.engine;

import org.jspecify.annotations.NullMarked;
