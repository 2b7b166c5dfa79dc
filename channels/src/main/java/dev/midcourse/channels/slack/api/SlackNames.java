package dev.midcourse.channels.slack.api;

import java.util.Optional;

/** The names of users and channels, for display. They give no right. */
public interface SlackNames {
  /** Asks Slack if the name is not known yet; empty if it cannot be had soon. */
  Optional<String> user(String id);

  /** Asks Slack if the name is not known yet; empty if it cannot be had soon. */
  Optional<String> chat(String id);

  /** The name if it is known already. */
  Optional<String> knownUser(String id);
}
