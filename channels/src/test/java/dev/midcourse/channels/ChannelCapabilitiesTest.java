package dev.midcourse.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChannelCapabilitiesTest {
  @Test
  void aChannelHasTheFeaturesThatItNamesAndNoOther() {
    ChannelCapabilities capabilities =
        ChannelCapabilities.of(limits(4096), ChannelFeature.EDITS, ChannelFeature.FILES);

    assertThat(capabilities.has(ChannelFeature.EDITS)).isTrue();
    assertThat(capabilities.has(ChannelFeature.FILES)).isTrue();
    assertThat(capabilities.has(ChannelFeature.IDEMPOTENT_SENDS)).isFalse();
  }

  @Test
  void aLimitOfTextThatLeavesNoRoomForASentenceIsRefused() {
    assertThatThrownBy(() -> limits(99)).hasMessageContaining("at least 100 characters");
  }

  private static ChannelLimits limits(int maxText) {
    return new ChannelLimits(maxText, 8, 1_000_000, Duration.ZERO, Duration.ZERO);
  }
}
