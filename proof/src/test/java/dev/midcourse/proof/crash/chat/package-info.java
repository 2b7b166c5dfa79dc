@NullMarked
package dev.midcourse.proof.crash.chat;

import org.jspecify.annotations.NullMarked;
