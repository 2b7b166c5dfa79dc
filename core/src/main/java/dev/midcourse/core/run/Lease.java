package dev.midcourse.core.run;

import dev.midcourse.core.id.HostName;
import java.time.Instant;

/** The host whose hub owns an attempt, and the end of that ownership unless it is renewed. */
public record Lease(HostName host, Instant until) {}
