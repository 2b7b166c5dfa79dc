package dev.midcourse.hub.metrics;

import java.util.Map;

/** Figures in Prometheus' text format, version 0.0.4. */
public final class PrometheusText {
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  /** A number that goes up and down. */
  public PrometheusText gauge(String name, String help, long value) {
    head(name, "gauge", help);
    text.append(name).append(" ").append(value).append("\n");
    return this;
  }

  /** One number for each value of a label. */
  public PrometheusText gauges(
      String name, String help, String label, Map<String, ? extends Number> values) {
    head(name, "gauge", help);
    rows(name, label, values);
    return this;
  }

  /** Like {@link #gauges}, for what only grows. */
  public PrometheusText counters(
      String name, String help, String label, Map<String, ? extends Number> values) {
    head(name, "counter", help);
    rows(name, label, values);
    return this;
  }

  /** The histograms of all hops. */
  public PrometheusText hops(String name, String help, SteerLatency steerLatency) {
    head(name, "histogram", help);
    steerLatency
        .totals()
        .forEach((hop, total) -> {
          String label = "hop=\"" + hop.wire() + "\"";
          for (int i = 0; i < LatencyHistogram.BORDERS.size(); i++) {
            bucket(name, label, number(LatencyHistogram.BORDERS.get(i)), total.upToBorder().get(i));
          }
          bucket(name, label, "+Inf", total.count());
          row(name + "_sum", label, number(total.sumSeconds()));
          row(name + "_count", label, Long.toString(total.count()));
        });
    return this;
  }

  /** What the last hour was like, for each hop that happened in it. */
  public PrometheusText lastHour(String name, String help, SteerLatency steerLatency) {
    head(name, "gauge", help);
    steerLatency
        .lastHour()
        .forEach((hop, figures) -> {
          String label = "hop=\"" + hop + "\",quantile=";
          row(name, label + "\"0.5\"", number(figures.p50Ms() / 1e3));
          row(name, label + "\"0.99\"", number(figures.p99Ms() / 1e3));
        });
    return this;
  }

  /** How steers have ended since the hub's start. */
  public PrometheusText ends(String name, String help, SteerLatency steerLatency) {
    return counters(name, help, "end", steerLatency.ends());
  }

  private void head(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void rows(String name, String label, Map<String, ? extends Number> values) {
    values.forEach((key, value) ->
        row(name, label + "=\"" + escaped(key) + "\"", number(value.doubleValue())));
  }

  private void bucket(String name, String label, String border, long count) {
    row(name + "_bucket", label + ",le=\"" + border + "\"", Long.toString(count));
  }

  private void row(String name, String labels, String value) {
    text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
