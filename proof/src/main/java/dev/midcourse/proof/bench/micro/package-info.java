/**
 * What is too short to be timed by itself: JMH does it, which wants classes that anybody can see.
 */
@NullMarked
package dev.midcourse.proof.bench.micro;

import org.jspecify.annotations.NullMarked;
