package dev.midcourse.autopilot.forge;

import dev.midcourse.core.loop.forge.ForgeKind;
import java.net.URI;

/**
 * Where a project is.
 *
 * @param api the base of the interface of the forge
 * @param project the full name of the project: {@code owner/name}
 */
public record ForgeAddress(ForgeKind kind, URI api, String project) {}
