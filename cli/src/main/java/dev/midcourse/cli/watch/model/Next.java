package dev.midcourse.cli.watch.model;

import java.util.List;

/** The model after a message, and the effects to execute. */
public record Next(Model model, List<Effect> wishes) {
  public Next {
    wishes = List.copyOf(wishes);
  }

  static Next to(Model model, Effect... requests) {
    return new Next(model, List.of(requests));
  }
}
