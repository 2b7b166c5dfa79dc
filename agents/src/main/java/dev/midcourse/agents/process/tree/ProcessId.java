package dev.midcourse.agents.process.tree;

/**
 * Identifies a process uniquely by its number and its start time, since the system reuses numbers.
 *
 * @param start in the process table's own unit: clock ticks since boot, or milliseconds since 1970
 */
record ProcessId(long pid, long start) {}
