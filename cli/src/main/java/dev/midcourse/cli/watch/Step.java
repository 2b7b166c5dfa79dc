package dev.midcourse.cli.watch;

import java.util.List;

/** What a message made of the board, and what is to be done because of it. */
record Step(Board board, List<Wish> wishes) {
  Step {
    wishes = List.copyOf(wishes);
  }

  static Step to(Board board, Wish... wishes) {
    return new Step(board, List.of(wishes));
  }
}
