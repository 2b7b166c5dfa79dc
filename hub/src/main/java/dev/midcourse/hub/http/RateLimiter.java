package dev.midcourse.hub.http;

/** A token bucket: accepts a burst, then a number of requests per second, and refuses the rest. */
final class RateLimiter {
  private final double perNano;
  private final double burst;

  /** Both are guarded by this object's monitor. */
  private double left;

  private long at;

  RateLimiter(int perSecond, int burst, long now) {
    this.perNano = perSecond / 1e9;
    this.burst = burst;
    this.left = burst;
    this.at = now;
  }

  synchronized boolean tryAcquire(long now) {
    left = Math.min(burst, left + Math.max(0, now - at) * perNano);
    at = now;
    if (left < 1) {
      return false;
    }
    left -= 1;
    return true;
  }
}
