package dev.midcourse.cli.watch.model;

import java.util.List;

/** The model after a message, and the effects to execute. */
public record Next(Model model, List<Effect> effects) {
  public Next {
    effects = List.copyOf(effects);
  }

  static Next to(Model model, Effect... requests) {
    return new Next(model, List.of(requests));
  }
}
