package dev.midcourse.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.auth.ProcessAncestry.Ancestors;
import dev.midcourse.hub.auth.ProcessAncestry.Marker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessAncestryTest {
  @TempDir Path proc;

  private void process(long pid, String name, long parent, String environment) throws IOException {
    Path folder = Files.createDirectory(proc.resolve("" + pid));
    stat(pid, name, parent);
    Files.writeString(folder.resolve("environ"), environment);
  }

  private void stat(long pid, String name, long parent) throws IOException {
    Files.writeString(
        proc.resolve(pid + "/stat"), pid + " (" + name + ") S " + parent + " 1 1 0\n");
  }

  private ProcessAncestry ancestry() {
    return new ProcessAncestry(proc, _ -> false);
  }

  private static List<Marker> markers(Ancestors line) {
    return switch (line) {
      case Ancestors.Complete(List<Marker> markers) -> markers;
      case Ancestors.Broken(String why) -> throw new AssertionError(why);
    };
  }

  private static String broken(Ancestors line) {
    return switch (line) {
      case Ancestors.Complete(List<Marker> markers) ->
          throw new AssertionError("followed: " + markers);
      case Ancestors.Broken(String why) -> why;
    };
  }

  @Test
  void the_markers_of_a_process_and_of_all_its_ancestors_are_found() throws Exception {
    process(10, "init", 1, "HOME=/\0");
    process(20, "agent) S 1 (", 10, "A=b\0MIDCOURSE_RUN=r1\0MIDCOURSE_MARK=m1\0");
    process(30, "sh", 20, "MIDCOURSE_MARK=m2");
    process(40, "curl", 30, "");
    assertThat(markers(ancestry().of(40)))
        .containsExactly(new Marker("", "m2"), new Marker("r1", "m1"));
  }

  @Test
  void a_variable_that_only_looks_like_a_marker_is_none() throws Exception {
    process(
        10, "sh", 1, "XMIDCOURSE_RUN=r\0midcourse_run=r\0MIDCOURSE_RUNS=r\0X=MIDCOURSE_RUN=r\0");
    assertThat(markers(ancestry().of(10))).isEmpty();
  }

  @Test
  void a_container_whose_first_process_has_no_parent_ends_the_line() throws Exception {
    process(1, "init", 0, "");
    process(7, "sh that was put in from outside", 0, "");
    process(8, "curl", 7, "");
    assertThat(markers(ancestry().of(8))).isEmpty();
  }

  @Test
  void a_process_that_cannot_be_looked_at_is_not_taken_for_one_without_markers() throws Exception {
    process(10, "hidden", 1, "");
    Files.delete(proc.resolve("10/environ"));
    assertThat(broken(ancestry().of(10))).contains("process 10");
    assertThat(broken(ancestry().of(11))).contains("process 11");
    process(12, "gone between two looks", 1, "");
    Files.delete(proc.resolve("12/stat"));
    assertThat(broken(ancestry().of(12))).contains("process 12");
  }

  /** Seen to fail when the walk stops at its depth limit and uses its result so far. */
  @Test
  void a_line_that_is_too_long_or_has_no_end_says_nothing() throws Exception {
    process(2, "sh", 1, "MIDCOURSE_RUN=r");
    for (int pid = 3; pid < ProcessAncestry.MAX_DEPTH + 3; pid++) {
      process(pid, "env", pid - 1, "");
    }
    assertThat(broken(ancestry().of(ProcessAncestry.MAX_DEPTH + 2))).contains("ancestors");
    assertThat(markers(ancestry().of(ProcessAncestry.MAX_DEPTH)))
        .containsExactly(new Marker("r", ""));
    process(1000, "a", 1001, "");
    process(1001, "b", 1000, "");
    assertThat(broken(ancestry().of(1000))).contains("ancestors");
  }

  @Test
  void another_users_process_keeps_its_environment_and_the_line_continues_above_it()
      throws Exception {
    process(10, "agent", 1, "MIDCOURSE_RUN=r");
    process(20, "su", 10, "");
    Files.delete(proc.resolve("20/environ"));
    process(30, "sh", 20, "");
    assertThat(markers(ancestry().of(30))).containsExactly(new Marker("r", ""));
  }

  /** Seen to fail when a caller whose environment cannot be read is refused for each user. */
  @Test
  void a_caller_of_another_user_keeps_its_environment_and_has_the_markers_of_its_ancestors()
      throws Exception {
    process(10, "sh", 1, "MIDCOURSE_RUN=r");
    process(20, "sudo", 10, "");
    process(30, "login", 1, "");
    for (long pid : new long[] {20, 30}) {
      Files.delete(proc.resolve(pid + "/environ"));
    }
    ProcessAncestry ancestry = new ProcessAncestry(proc, pid -> pid >= 20);
    assertThat(markers(ancestry.of(20))).containsExactly(new Marker("r", ""));
    assertThat(markers(ancestry.of(30))).isEmpty();
  }

  /** Seen to fail when a parent that cannot be inspected counts as the first process. */
  @Test
  void with_hidden_processes_the_ancestry_ends_at_another_user_only() throws Exception {
    process(30, "sh", 20, "");
    assertThat(markers(new ProcessAncestry(proc, pid -> pid == 20).of(30))).isEmpty();
    assertThat(broken(ancestry().of(30))).contains("process 20 above it");
  }

  /** Seen to fail when the parent of a child is not read again. */
  @Test
  void an_ancestor_that_goes_meanwhile_is_not_the_end_of_the_line() throws Exception {
    process(10, "wrapper", 1, "MIDCOURSE_RUN=r");
    process(30, "orphan", 20, "");
    Thread change = adopted(30, List.of(20L, 10L));
    assertThat(markers(ancestry().of(30))).containsExactly(new Marker("r", ""));
    change.join();
  }

  @Test
  void ancestors_that_never_stay_the_same_say_nothing() throws Exception {
    process(30, "orphan", 20, "");
    List<Long> parents =
        LongStream.rangeClosed(20, 20 + ProcessAncestry.MAX_TRIES).boxed().toList();
    Thread change = adopted(30, parents);
    assertThat(broken(ancestry().of(30))).contains("do not stay the same");
    change.join();
  }

  /** While a parent of the list is looked at, the child gets the next one. */
  private Thread adopted(long child, List<Long> parents) throws Exception {
    List<Long> leaving = parents.subList(0, parents.size() - 1);
    for (long parent : leaving) {
      Path folder = Files.createDirectory(proc.resolve("" + parent));
      new ProcessBuilder("mkfifo", folder.resolve("environ").toString()).start().waitFor();
    }
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          for (int i = 0; i < leaving.size(); i++) {
            // Opens when a reader comes, which then waits until it is closed.
            try (var _ = Files.newOutputStream(proc.resolve(leaving.get(i) + "/environ"))) {
              stat(child, "orphan", parents.get(i + 1));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
  }

  @Test
  void a_real_child_inherits_the_marker_it_was_started_with() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put("MIDCOURSE_RUN", "real");
    Process child = builder.start();
    try {
      assertThat(markers(ProcessAncestry.OF_THIS_SYSTEM.of(child.pid())))
          .extracting(Marker::run)
          .contains("real");
    } finally {
      child.destroyForcibly();
      child.waitFor(10, TimeUnit.SECONDS);
    }
  }
}
