package dev.midcourse.core.chat.inbound;

import java.util.Optional;

/**
 * A file that came with a message.
 *
 * @param name the name that the sender gave; it may be hostile
 * @param reference how the channel fetches the file
 * @param savedAs where the file is put, below the folder of the run; empty if it cannot be fetched
 */
public record Attachment(
    String name, String mediaType, long bytes, String reference, Optional<String> savedAs) {}
