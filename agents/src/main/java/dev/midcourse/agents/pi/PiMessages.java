package dev.midcourse.agents.pi;

import dev.midcourse.agents.stdio.ProtocolJson;
import dev.midcourse.core.id.SteerId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that are written to pi, and the recognition of a steer in a text. */
final class PiMessages {
  /** The start of a framed steer. Only a text that begins with it is that steer. */
  private static final Pattern FRAME =
      Pattern.compile(
          "^\\[midcourse steer"
              + " ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}) from ");

  private PiMessages() {}

  static String command(String id, String type) {
    return ProtocolJson.object().put("id", id).put("type", type).toString();
  }

  static String takeAllSteersAtOnce(String id) {
    return ProtocolJson.object()
        .put("id", id)
        .put("type", "set_steering_mode")
        .put("mode", "all")
        .toString();
  }

  /**
   * Writes a prompt, also for a steer, because pi holds a bare steer for ever if no turn runs. Puts
   * a line break before a leading slash, because pi would take the text as a command.
   */
  static String prompt(String id, String message) {
    return ProtocolJson.object()
        .put("id", id)
        .put("type", "prompt")
        .put("message", message.startsWith("/") ? "\n" + message : message)
        .put("streamingBehavior", "steer")
        .toString();
  }

  static String cancelDialog(String id) {
    return ProtocolJson.object()
        .put("type", "extension_ui_response")
        .put("id", id)
        .put("cancelled", true)
        .toString();
  }

  static Optional<SteerId> steerIn(String text) {
    Matcher frame = FRAME.matcher(text);
    return frame.find() ? Optional.of(SteerId.of(frame.group(1))) : Optional.empty();
  }
}
