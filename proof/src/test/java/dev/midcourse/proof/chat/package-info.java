@NullMarked
package dev.midcourse.proof.chat;

import org.jspecify.annotations.NullMarked;
