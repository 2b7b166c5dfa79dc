package dev.midcourse.agents.process.input;

/**
 * How much a Linux pipe can surely take.
 *
 * <p>A pipe is a ring of page-sized slots. A write appends its odd bytes to the last slot if they
 * fit there and otherwise begins a new one, so two neighbouring slots always hold more than one
 * page together, save the first, which may have been read in part. From the number of unread bytes
 * alone follows how many slots they occupy at most.
 */
record PipeCapacity(int capacity, int unread, int pageSize) {

  int maxSlotsUsed() {
    return unread == 0 ? 0 : 2 * ((unread - 1) / (pageSize + 1)) + 2;
  }

  /** Whether a frame fits as a whole, whatever the unread bytes look like. */
  boolean takes(int length) {
    return maxSlotsUsed() + slots(length) <= capacity / pageSize;
  }

  /** The capacity at which the frame would fit beside what is unread. */
  long capacityFor(int length) {
    return ((long) maxSlotsUsed() + slots(length)) * pageSize;
  }

  private int slots(int length) {
    return Math.ceilDiv(length, pageSize);
  }
}
