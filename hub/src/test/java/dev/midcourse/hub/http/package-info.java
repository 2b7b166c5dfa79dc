@NullMarked
package dev.midcourse.hub.http;

import org.jspecify.annotations.NullMarked;
