package dev.midcourse.engine.conversation.tools;

import java.util.Optional;

/**
 * A file that an agent wants to send.
 *
 * @param path the file in the workspace of the run
 * @param name the name that people see; that of the file otherwise
 */
public record FileRequest(String path, Optional<String> caption, Optional<String> name) {}
