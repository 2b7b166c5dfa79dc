@NullMarked
package dev.midcourse.channels.connection;

import org.jspecify.annotations.NullMarked;
