package dev.midcourse.core.chat.inbound;

import java.util.Optional;

/**
 * A file that came with a message.
 *
 * @param name the name that the sender gave; it may be hostile
 * @param reference how the channel fetches the file
 * @param savedAs the path below the data folder, once the file is fetched
 */
public record Attachment(
    String name, String mediaType, long bytes, String reference, Optional<String> savedAs) {}
