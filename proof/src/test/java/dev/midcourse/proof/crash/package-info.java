@NullMarked
package dev.midcourse.proof.crash;

import org.jspecify.annotations.NullMarked;
