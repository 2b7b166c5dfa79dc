package dev.midcourse.gateway.read;

import dev.midcourse.core.id.SteerId;

/** A steer whose whole frame is in a request, and where. */
public record PresentSteer(SteerId steer, SteerPlace place) {}
