package dev.midcourse.core.event;

import dev.midcourse.core.id.RunId;
import java.time.Instant;

/** An event as it stands in the log: its cursor, its time, its run. Cursors only grow. */
public record Entry(long cursor, Instant at, RunId run, RunEvent event) {}
