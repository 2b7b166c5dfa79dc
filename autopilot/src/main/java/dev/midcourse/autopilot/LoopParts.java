package dev.midcourse.autopilot;

import dev.midcourse.autopilot.forge.ForgeRegistry;
import dev.midcourse.core.id.HostName;
import dev.midcourse.core.id.Ids;
import dev.midcourse.engine.RunService;
import dev.midcourse.engine.SteerService;
import dev.midcourse.engine.timer.Timers;
import dev.midcourse.ledger.Ledger;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What loops use.
 *
 * @param host this host; loops of other hosts are left to their hubs
 * @param folder the folder with the checkouts of all loops
 * @param forges the forges of the settings
 * @param people the people behind the logins of forges
 * @param looks how often loops look at their forges
 */
public record LoopParts(
    Ledger ledger,
    RunService runs,
    SteerService steering,
    Timers timers,
    InstantSource clock,
    Ids ids,
    HostName host,
    Path folder,
    ForgeRegistry forges,
    ForgePeople people,
    LookSchedule looks) {}
