package dev.midcourse.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SignInCodesTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T09:00:00Z"));
  private final SignInCodes codes = new SignInCodes(now::get);

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  @Test
  void a_code_is_redeemed_once() {
    String code = codes.issue().text();
    assertThat(codes.redeem(code + "x")).isFalse();
    assertThat(codes.redeem(code.substring(1))).isFalse();
    assertThat(codes.redeem("")).isFalse();
    assertThat(codes.redeem(code)).isTrue();
    assertThat(codes.redeem(code)).isFalse();
  }

  /** Seen to fail when redeeming a code does not end it. */
  @Test
  void of_many_callers_at_the_same_time_one_redeems_the_code() throws Exception {
    int callers = 4;
    CyclicBarrier together = new CyclicBarrier(callers);
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      for (int round = 0; round < 2_000; round++) {
        String code = codes.issue().text();
        List<Callable<Boolean>> attempts =
            Collections.nCopies(
                callers,
                () -> {
                  together.await();
                  return codes.redeem(code);
                });
        int redeemed = 0;
        for (Future<Boolean> attempt : threads.invokeAll(attempts)) {
          redeemed += attempt.get() ? 1 : 0;
        }
        assertThat(redeemed).isEqualTo(1);
      }
    }
  }

  @Test
  void a_code_lives_one_minute() {
    String early = codes.issue().text();
    String late = codes.issue().text();
    pass(Duration.ofMillis(59_999));
    assertThat(codes.redeem(early)).isTrue();
    pass(Duration.ofMillis(1));
    assertThat(codes.redeem(late)).isFalse();
  }

  @Test
  void codes_are_long_random_and_bounded_in_number() {
    Set<String> seen = new HashSet<>();
    String first = codes.issue().text();
    for (int i = 0; i < SignInCodes.MAX_OPEN; i++) {
      String code = codes.issue().text();
      assertThat(code).matches("[a-z0-9]{26}");
      assertThat(seen.add(code)).isTrue();
    }
    assertThat(codes.redeem(first)).as("the oldest made room").isFalse();
    assertThat(codes.redeem(seen.iterator().next())).isTrue();
    assertThat(codes.issue()).hasToString("(secret)");
  }
}
