/**
 * Agents that are programs on this machine. A program is started so that it survives the hub, the
 * next hub attaches to it, and it is ended with every process that it started. Protocols are in
 * other packages.
 */
@NullMarked
package dev.midcourse.agents.hosted;

import org.jspecify.annotations.NullMarked;
