@NullMarked
package dev.midcourse.agents.rpc;

import org.jspecify.annotations.NullMarked;
