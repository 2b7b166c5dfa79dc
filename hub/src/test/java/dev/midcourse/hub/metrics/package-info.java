@NullMarked
package dev.midcourse.hub.metrics;

import org.jspecify.annotations.NullMarked;
