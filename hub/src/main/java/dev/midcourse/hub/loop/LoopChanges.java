package dev.midcourse.hub.loop;

import dev.midcourse.agents.git.Patch;
import dev.midcourse.core.loop.CommitRange;

/** Changes of a loop, with the commits between which they were made. */
record LoopChanges(CommitRange commits, Patch patch) {}
