package dev.midcourse.hub.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Collects metrics and writes them in the text format of Prometheus, version 0.0.4. */
public final class PrometheusText {
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private final List<MetricSnapshot> metrics = new ArrayList<>();

  /** Adds a gauge. */
  public PrometheusText gauge(String name, String help, long value) {
    metrics.add(
        GaugeSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(point((double) value, Labels.EMPTY))
            .build());
    return this;
  }

  /** Adds a gauge with one value for each value of a label. */
  public PrometheusText gauges(
      String name, String help, String label, Map<String, ? extends Number> values) {
    GaugeSnapshot.Builder gauges = GaugeSnapshot.builder().name(name).help(help);
    values.forEach(
        (key, value) -> gauges.dataPoint(point(value.doubleValue(), Labels.of(label, key))));
    metrics.add(gauges.build());
    return this;
  }

  /** Adds the latencies of all stages: since the start, and percentiles of the last hour. */
  public PrometheusText latencies(SteerLatency latency) {
    metrics.add(latency.sinceStart());
    GaugeSnapshot.Builder lastHour =
        GaugeSnapshot.builder()
            .name("midcourse_hop_last_hour_seconds")
            .help(
                "How long each stretch took in the last hour: half and 99 of 100 were no slower.");
    latency
        .lastHour()
        .forEach((hop, figures) -> {
          lastHour.dataPoint(quantile(hop, "0.5", figures.p50Ms()));
          lastHour.dataPoint(quantile(hop, "0.99", figures.p99Ms()));
        });
    metrics.add(lastHour.build());
    return this;
  }

  /** Adds the number of ended steers since the start, by the kind of their end. */
  public PrometheusText ends(SteerLatency latency) {
    CounterSnapshot.Builder ends =
        CounterSnapshot.builder().name("midcourse_steers_ended").help("Steers by how they ended.");
    latency
        .ends()
        .forEach((end, count) ->
            ends.dataPoint(
                CounterDataPointSnapshot.builder()
                    .value((double) count)
                    .labels(Labels.of("end", end))
                    .build()));
    metrics.add(ends.build());
    return this;
  }

  private static GaugeDataPointSnapshot quantile(String hop, String share, double millis) {
    return point(millis / 1e3, Labels.of("hop", hop, "quantile", share));
  }

  private static GaugeDataPointSnapshot point(double value, Labels labels) {
    return GaugeDataPointSnapshot.builder().value(value).labels(labels).build();
  }

  /** Returns the text of all metrics, in UTF-8. */
  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create()
          .write(out, new MetricSnapshots(metrics), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a byte array can be written", impossible);
    }
    return out.toByteArray();
  }
}
