package dev.midcourse.agents.process.input;

/**
 * Calculates how many bytes a Linux pipe can surely take.
 *
 * <p>A pipe is a ring of page-sized slots. A write appends its odd bytes to the last slot if they
 * fit there, and otherwise begins a new slot. Two neighbouring slots therefore always hold more
 * than one page together, except for the first slot, which may have been read in part. So the
 * number of unread bytes alone gives the largest number of slots that they can occupy.
 */
record PipeCapacity(int capacity, int unread, int pageSize) {

  int maxSlotsUsed() {
    return unread == 0 ? 0 : 2 * ((unread - 1) / (pageSize + 1)) + 2;
  }

  /**
   * Returns whether a whole frame fits, no matter how the unread bytes are spread over the slots.
   */
  boolean takes(int length) {
    return maxSlotsUsed() + slots(length) <= capacity / pageSize;
  }

  /** Returns the capacity at which the frame fits in addition to the unread bytes. */
  long capacityFor(int length) {
    return ((long) maxSlotsUsed() + slots(length)) * pageSize;
  }

  private int slots(int length) {
    return Math.ceilDiv(length, pageSize);
  }
}
