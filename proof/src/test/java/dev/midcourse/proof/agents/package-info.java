@NullMarked
package dev.midcourse.proof.agents;

import org.jspecify.annotations.NullMarked;
