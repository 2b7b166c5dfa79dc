@NullMarked
package dev.midcourse.channels.http;

import org.jspecify.annotations.NullMarked;
