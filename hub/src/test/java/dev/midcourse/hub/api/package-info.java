@NullMarked
package dev.midcourse.hub.api;

import org.jspecify.annotations.NullMarked;
