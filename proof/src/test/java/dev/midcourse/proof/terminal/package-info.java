/** Commands and full-screen views, run through the real launcher in real terminals. */
@NullMarked
package dev.midcourse.proof.terminal;

import org.jspecify.annotations.NullMarked;
