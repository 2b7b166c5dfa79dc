package dev.midcourse.channels;

import java.util.EnumSet;
import java.util.Set;

/** What a channel can do, and the limits of its platform, as data. */
public record ChannelCapabilities(Set<ChannelFeature> features, ChannelLimits limits) {
  public ChannelCapabilities {
    features = Set.copyOf(features);
  }

  public static ChannelCapabilities of(
      ChannelLimits limits, ChannelFeature first, ChannelFeature... others) {
    return new ChannelCapabilities(EnumSet.of(first, others), limits);
  }

  public boolean has(ChannelFeature feature) {
    return features.contains(feature);
  }
}
