@NullMarked
package dev.midcourse.engine.outbox;

import org.jspecify.annotations.NullMarked;
