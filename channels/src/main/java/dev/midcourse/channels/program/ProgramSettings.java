package dev.midcourse.channels.program;

import dev.midcourse.channels.ChannelCapabilities;
import dev.midcourse.channels.kind.ChannelSecret;
import dev.midcourse.core.chat.ChannelName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One channel program.
 *
 * @param command the program and its arguments
 * @param token is in the environment of the program as {@code MIDCOURSE_CHANNEL_TOKEN}
 * @param folder the working folder of the program, which is its own
 */
record ProgramSettings(
    ChannelName name,
    List<String> command,
    ChannelCapabilities capabilities,
    Optional<ChannelSecret> token,
    Path folder) {
  ProgramSettings {
    command = List.copyOf(command);
  }
}
