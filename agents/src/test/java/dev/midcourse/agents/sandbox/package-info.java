@NullMarked
package dev.midcourse.agents.sandbox;

import org.jspecify.annotations.NullMarked;
