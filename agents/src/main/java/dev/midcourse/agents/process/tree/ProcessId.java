package dev.midcourse.agents.process.tree;

/**
 * A process for certain: its number and when it started, since numbers are used again.
 *
 * @param start in the process table's own unit: clock ticks since boot, or milliseconds since 1970
 */
record ProcessId(long pid, long start) {}
