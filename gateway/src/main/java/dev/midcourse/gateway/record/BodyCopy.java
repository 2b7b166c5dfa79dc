package dev.midcourse.gateway.record;

import java.io.ByteArrayOutputStream;

/** The copy of the body of a request, bounded by a size and by the budget. Not thread-safe. */
final class BodyCopy implements AutoCloseable {
  /** The longest body that is read beside. */
  static final int MAX_BYTES = 32 << 20;

  private final CopyBudget budget;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long taken;
  private boolean lost;

  BodyCopy(CopyBudget budget) {
    this.budget = budget;
  }

  void add(byte[] more, int from, int length) {
    if (lost) {
      return;
    }
    if (bytes.size() + length > MAX_BYTES || !budget.take(length)) {
      lose();
      return;
    }
    taken += length;
    bytes.write(more, from, length);
  }

  /** Gives the copy up. */
  void lose() {
    lost = true;
    close();
  }

  boolean isLost() {
    return lost;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    budget.giveBack(taken);
    taken = 0;
    bytes.reset();
  }
}
