@NullMarked
package dev.midcourse.agents.mail;

import org.jspecify.annotations.NullMarked;
