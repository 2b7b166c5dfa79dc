package dev.midcourse.cli.watch.model;

import java.util.List;

/** What a message made of the board, and what is to be done because of it. */
public record Next(Model model, List<Effect> wishes) {
  public Next {
    wishes = List.copyOf(wishes);
  }

  static Next to(Model model, Effect... wishes) {
    return new Next(model, List.of(wishes));
  }
}
