/**
 * Which folders and files a sandboxed program sees and may write to, as arguments of bubblewrap and
 * of containers; protection of git folders. Not here: starting the program ({@code
 * agents.sandbox}).
 */
@NullMarked
package dev.midcourse.agents.sandbox.mount;

import org.jspecify.annotations.NullMarked;
