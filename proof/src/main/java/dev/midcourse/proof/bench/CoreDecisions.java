package dev.midcourse.proof.bench;

import dev.midcourse.proof.bench.measure.Benchmark;
import dev.midcourse.proof.bench.measure.Report;
import dev.midcourse.proof.bench.micro.Decisions;
import java.nio.file.Path;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures the decisions of core, without a store, a thread or an agent. */
final class CoreDecisions implements Benchmark {

  @Override
  public String name() {
    return "core";
  }

  @Override
  public String title() {
    return "Decisions of core";
  }

  @Override
  public String question() {
    return "the mean time of a decision on the way of a steer, by JMH, with so many steers open in its run";
  }

  @Override
  public void run(Path root, Report report) throws Exception {
    var options =
        new OptionsBuilder()
            .include(Decisions.class.getName())
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    for (RunResult result : new Runner(options).run()) {
      String decision = result.getPrimaryResult().getLabel();
      String open = result.getParams().getParam("open");
      report.figure(decision + ", " + open + " open", result.getPrimaryResult().getScore(), "µs");
    }
    report.note(
        "judge: may a steer be stored; plan: what to do now about all that are open; receipt: one receipt"
            + " as JSON.");
  }
}
