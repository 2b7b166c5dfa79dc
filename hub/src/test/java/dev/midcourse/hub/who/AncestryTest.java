package dev.midcourse.hub.who;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.who.Ancestry.Marker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AncestryTest {
  @TempDir Path proc;

  private void process(long pid, String name, long parent, String environment) throws IOException {
    Path folder = Files.createDirectory(proc.resolve("" + pid));
    Files.writeString(folder.resolve("stat"), pid + " (" + name + ") S " + parent + " 1 1 0\n");
    Files.writeString(folder.resolve("environ"), environment);
  }

  @Test
  void the_markers_of_a_process_and_of_all_its_ancestors_are_found() throws Exception {
    process(10, "init", 1, "HOME=/\0");
    process(20, "agent) S 1 (", 10, "A=b\0MIDCOURSE_RUN=r1\0MIDCOURSE_MARK=m1\0");
    process(30, "sh", 20, "MIDCOURSE_MARK=m2");
    process(40, "curl", 30, "");
    assertThat(new Ancestry(proc).markers(40))
        .hasValueSatisfying(markers ->
            assertThat(markers).containsExactly(new Marker("", "m2"), new Marker("r1", "m1")));
  }

  @Test
  void a_variable_that_only_looks_like_a_marker_is_none() throws Exception {
    process(
        10, "sh", 1, "XMIDCOURSE_RUN=r\0midcourse_run=r\0MIDCOURSE_RUNS=r\0X=MIDCOURSE_RUN=r\0");
    assertThat(new Ancestry(proc).markers(10).orElseThrow()).isEmpty();
  }

  @Test
  void a_process_that_cannot_be_looked_at_is_not_taken_for_one_without_markers() throws Exception {
    process(10, "hidden", 1, "");
    Files.delete(proc.resolve("10/environ"));
    assertThat(new Ancestry(proc).markers(10)).isEmpty();
    assertThat(new Ancestry(proc).markers(11)).isEmpty();
  }

  @Test
  void a_circle_of_parents_ends() throws Exception {
    process(10, "a", 11, "MIDCOURSE_RUN=r");
    process(11, "b", 10, "");
    assertThat(new Ancestry(proc).markers(10).orElseThrow()).contains(new Marker("r", ""));
  }

  @Test
  void a_real_child_inherits_the_marker_it_was_started_with() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put("MIDCOURSE_RUN", "real");
    Process child = builder.start();
    try {
      assertThat(Ancestry.OF_THIS_SYSTEM.markers(child.pid()).orElseThrow())
          .extracting(Marker::run)
          .contains("real");
    } finally {
      child.destroyForcibly();
      child.waitFor(10, TimeUnit.SECONDS);
    }
  }
}
