package dev.midcourse.core.chat.route;

import dev.midcourse.core.id.WorkerName;
import java.util.Optional;

/**
 * The result of one gate.
 *
 * @param worker the worker of the wiring; empty for a gate of the whole chat
 * @param reason one sentence for people
 */
public record GateResult(Gate gate, boolean passed, Optional<WorkerName> worker, String reason) {}
