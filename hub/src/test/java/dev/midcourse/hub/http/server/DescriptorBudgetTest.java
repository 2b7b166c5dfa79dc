package dev.midcourse.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.RefusedException;
import org.junit.jupiter.api.Test;

class DescriptorBudgetTest {
  @Test
  void clients_get_half_of_what_the_hub_does_not_need_itself() {
    assertThat(DescriptorBudget.of(512)).isEqualTo(new DescriptorBudget(96, 96));
    assertThat(DescriptorBudget.of(20_000)).isEqualTo(new DescriptorBudget(4_096, 4_968));
    assertThat(DescriptorBudget.of(Long.MAX_VALUE)).isEqualTo(new DescriptorBudget(4_096, 8_192));
  }

  @Test
  void a_hub_that_may_open_too_few_files_does_not_start() {
    assertThatThrownBy(() -> DescriptorBudget.of(255))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("ulimit -n");
  }

  @Test
  void the_limit_of_this_process_is_found() {
    assertThat(DescriptorBudget.ofThisProcess().local()).isPositive();
  }
}
