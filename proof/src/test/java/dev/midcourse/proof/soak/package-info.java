/** Many runs for a long time: what a hub holds must not grow. */
@NullMarked
package dev.midcourse.proof.soak;

import org.jspecify.annotations.NullMarked;
