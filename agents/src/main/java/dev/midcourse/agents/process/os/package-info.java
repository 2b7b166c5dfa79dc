/**
 * Calls to the operating system that the JDK does not offer: libc functions, inotify, directory
 * handles.
 *
 * <p>Nothing in here knows an agent or an attempt.
 */
@NullMarked
package dev.midcourse.agents.process.os;

import org.jspecify.annotations.NullMarked;
