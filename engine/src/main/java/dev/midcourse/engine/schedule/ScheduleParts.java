package dev.midcourse.engine.schedule;

import dev.midcourse.agents.HubEnvironment;
import dev.midcourse.core.id.Ids;
import dev.midcourse.engine.RunService;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.ledger.Ledger;
import java.time.InstantSource;

/**
 * What schedules use.
 *
 * @param environment the variables of the hub, of which a check gets a few
 */
public record ScheduleParts(
    Ledger ledger,
    RunService runs,
    Timers timers,
    InstantSource clock,
    Ids ids,
    RunStarter starter,
    ConversationEntry conversations,
    HubEnvironment environment) {}
