package dev.midcourse.agents.acp;

import dev.midcourse.core.id.SessionId;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is wanted of a conversation.
 *
 * @param attempt the attempt it is part of
 * @param workspace where the agent works
 * @param resume the conversation to go on with
 * @param allowAll whether it may do everything without being asked about
 * @param model the model it is to be told to use
 */
record AcpSessionOptions(
    int attempt,
    Path workspace,
    Optional<SessionId> resume,
    boolean allowAll,
    Optional<String> model) {}
