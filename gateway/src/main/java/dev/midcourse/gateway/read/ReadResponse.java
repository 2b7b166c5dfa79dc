package dev.midcourse.gateway.read;

import java.util.Optional;

/**
 * What a response has said so far.
 *
 * @param modelEvents events, or whole answers, that the model caused; pings and comments are none
 * @param message the provider's id of the answer
 * @param ended whether the answer is complete
 * @param error the provider's own words, if the answer is an error
 */
public record ReadResponse(
    long modelEvents,
    Optional<String> message,
    Optional<TokenUsage> usage,
    boolean ended,
    Optional<String> error) {
  static final ReadResponse NOTHING =
      new ReadResponse(0, Optional.empty(), Optional.empty(), false, Optional.empty());

  ReadResponse withEvent() {
    return new ReadResponse(modelEvents + 1, message, usage, ended, error);
  }

  ReadResponse withMessage(Optional<String> id) {
    return id.isEmpty() || message.isPresent()
        ? this
        : new ReadResponse(modelEvents, id, usage, ended, error);
  }

  ReadResponse withUsage(TokenUsage more) {
    return new ReadResponse(modelEvents, message, Optional.of(more), ended, error);
  }

  ReadResponse withEnd() {
    return new ReadResponse(modelEvents, message, usage, true, error);
  }

  ReadResponse withError(String words) {
    return new ReadResponse(modelEvents, message, usage, ended, Optional.of(words));
  }
}
