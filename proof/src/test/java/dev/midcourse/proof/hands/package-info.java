/** What people type all day, through the real launcher and in real terminals. */
@NullMarked
package dev.midcourse.proof.hands;

import org.jspecify.annotations.NullMarked;
