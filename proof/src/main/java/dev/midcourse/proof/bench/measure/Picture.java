package dev.midcourse.proof.bench.measure;

import dev.midcourse.proof.bench.measure.Report.Finding.Times;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Draws times as a chart: one row each, on a logarithmic scale. */
final class Picture {
  private static final int LEFT = 330;
  private static final int WIDTH = 860;
  private static final int ROW = 26;
  private static final int TOP = 12;
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, sans-serif; fill: #24292f; }
        .grid { stroke: #d0d7de; } .max { stroke: #57606a; } .bar { fill: #54aeff; }
        .dot { fill: #0550ae; } .usual { stroke: #2da44e; } .worst { stroke: #116329; stroke-width: 3; }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3; } .grid { stroke: #30363d; } .max { stroke: #8b949e; }
          .bar { fill: #1f6feb; } .dot { fill: #a5d6ff; } .usual { stroke: #3fb950; } .worst { stroke: #7ee787; }
        }
      </style>
      """;

  private final List<Times> rows;
  private final int from;
  private final int to;
  private final StringBuilder svg = new StringBuilder();

  private Picture(List<Times> rows) {
    this.rows = rows;
    this.from = (int) Math.floor(Math.log10(Math.max(1e-3, all(rows).min().orElse(1e-3))));
    this.to = Math.max(from + 1, (int) Math.ceil(Math.log10(all(rows).max().orElse(1))));
  }

  /** Returns every value that must be visible. */
  private static DoubleStream all(List<Times> rows) {
    return rows.stream()
        .flatMapToDouble(row ->
            DoubleStream.of(
                    row.samples().millis(0.5),
                    row.samples().millis(1),
                    row.goal().typical(),
                    row.goal().worst())
                .filter(Double::isFinite))
        .filter(value -> value > 0);
  }

  /** Returns the chart of at least one row. */
  static String of(List<Times> rows) {
    return new Picture(rows).draw();
  }

  private String draw() {
    int height = TOP + rows.size() * ROW + 24;
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n",
            WIDTH,
            height));
    svg.append(STYLE);
    for (int power = from; power <= to; power++) {
      double x = x(Math.pow(10, power));
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>%n",
              x,
              TOP - 6,
              height - 20));
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s ms</text>%n",
              x,
              height - 5,
              Report.number(Math.pow(10, power))));
    }
    for (int i = 0; i < rows.size(); i++) {
      row(rows.get(i), TOP + i * ROW + ROW / 2);
    }
    return svg.append("</svg>\n").toString();
  }

  private void row(Times row, int y) {
    Samples samples = row.samples();
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
            LEFT - 12,
            y + 4,
            escaped(row.what())));
    double typical = x(samples.millis(0.5));
    double most = x(samples.millis(0.99));
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"max\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\"/>%n",
            most,
            x(samples.millis(1)),
            y));
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"bar\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"8\" rx=\"2\"/>%n",
            typical,
            y - 4,
            Math.max(1, most - typical)));
    svg.append(
        String.format(
            Locale.ROOT, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%d\" r=\"5\"/>%n", typical, y));
    goal("usual", row.goal().typical(), y);
    goal("worst", row.goal().worst(), y);
  }

  private void goal(String kind, double value, int y) {
    if (Double.isFinite(value)) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"%s\" x1=\"%2$.1f\" x2=\"%2$.1f\" y1=\"%3$d\" y2=\"%4$d\"/>%n",
              kind,
              x(value),
              y - 10,
              y + 10));
    }
  }

  private double x(double millis) {
    double share = (Math.log10(Math.max(millis, Math.pow(10, from))) - from) / (to - from);
    return LEFT + share * (WIDTH - LEFT - 40);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
