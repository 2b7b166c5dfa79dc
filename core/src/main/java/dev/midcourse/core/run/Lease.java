package dev.midcourse.core.run;

import dev.midcourse.core.id.HostName;
import java.time.Instant;

/** Which hub owns the run's attempt, and until when unless it is renewed. */
public record Lease(HostName host, Instant until) {}
