package dev.midcourse.agents.sandbox.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trees of folders and files that look like cgroups of version 1 and 2, as the documentation of the
 * kernel describes them. The kernel of this machine is in {@code TreeLimitsTest}.
 */
class CgroupsTest {
  private static final long HUB = 4711;
  private static final TreeLimits LIMITS = new TreeLimits(Optional.of(64L << 20), Optional.of(40));

  @TempDir private Path folder;
  private Path tree = Path.of("");
  private Path attempt = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    tree = Files.createDirectory(folder.resolve("sys fs cgroup"));
    attempt = Files.createDirectory(folder.resolve("attempt"));
  }

  @Test
  void in_version_2_a_child_of_a_delegated_cgroup_gets_the_limits() throws Exception {
    Path own = unified("/user.slice/hub.service", "cpu memory pids", "memory pids", "");
    List<String> words = cgroups().create(LIMITS, "midcourse-a", attempt);
    Path made = own.resolve("midcourse-a");
    assertThat(made.resolve("memory.max")).hasContent("67108864");
    assertThat(made.resolve("pids.max")).hasContent("40");
    assertThat(words).endsWith(made.toString(), "--");
    assertThat(Cgroup.recordedIn(attempt)).hasValue(new Cgroup(List.of(made)));
  }

  /** Seen to fail when the hub stays in its cgroup. */
  @Test
  void in_version_2_a_hub_that_is_alone_moves_into_a_child_and_divides_its_cgroup()
      throws Exception {
    Path own = unified("/hub.service", "memory pids", "", HUB + "\n");
    List<String> _ = cgroups().create(LIMITS, "midcourse-a", attempt);
    assertThat(own.resolve("midcourse-hub/cgroup.procs")).hasContent(Long.toString(HUB));
    assertThat(own.resolve("cgroup.subtree_control")).hasContent("+memory +pids");
    assertThat(own.resolve("midcourse-a/pids.max")).hasContent("40");

    membership("0::/hub.service/midcourse-hub\n");
    Files.writeString(own.resolve("cgroup.subtree_control"), "memory pids\n");
    List<String> _ = cgroups().create(LIMITS, "midcourse-b", attempt);
    assertThat(own.resolve("midcourse-b/pids.max")).hasContent("40");
  }

  /**
   * The kernel refuses to pass controllers on while the hub is still in the cgroup. Seen to fail
   * when they are passed on before the hub moves.
   */
  @Test
  void in_version_2_a_hub_that_cannot_move_does_not_divide_its_cgroup() throws Exception {
    Path own = unified("/hub.service", "memory pids", "", HUB + "\n");
    // A folder in the place of a file refuses to be written.
    Files.createDirectories(own.resolve("midcourse-hub/cgroup.procs"));
    Files.createDirectory(tree.resolve("cgroup.subtree_control"));
    assertThatIOException()
        .isThrownBy(() -> cgroups().create(LIMITS, "midcourse-a", attempt))
        .withMessageContaining("midcourse-hub/cgroup.procs");
    assertThat(own.resolve("cgroup.subtree_control")).hasContent("\n");
    assertThat(own.resolve("midcourse-a")).doesNotExist();
  }

  @Test
  void in_version_2_a_hub_among_other_processes_is_left_where_it_is() throws Exception {
    Path own = unified("/session.scope", "memory pids", "", "1\n" + HUB + "\n");
    // The kernel refuses to write this file; a folder in its place does the same.
    Files.delete(own.resolve("cgroup.subtree_control"));
    Files.createDirectory(own.resolve("cgroup.subtree_control"));
    Files.createDirectory(tree.resolve("cgroup.subtree_control"));
    assertThatIOException()
        .isThrownBy(() -> cgroups().create(LIMITS, "midcourse-a", attempt))
        .withMessageContaining("shares the cgroup")
        .withMessageContaining("Delegate=yes");
    assertThat(own.resolve("midcourse-hub")).doesNotExist();
    assertThat(own.resolve("midcourse-a")).doesNotExist();
  }

  @Test
  void in_version_1_each_controller_has_a_folder_of_its_own() throws Exception {
    Path memory = Files.createDirectories(tree.resolve("memory/jobs/hub"));
    Path pids = Files.createDirectories(tree.resolve("pids"));
    mounts(
        "30 25 0:26 / %s rw shared:9 - cgroup cgroup rw,memory",
        "31 25 0:27 / %s rw shared:9 - cgroup cgroup rw,pids",
        "32 25 0:28 / %s rw shared:9 - cgroup2 cgroup2 rw");
    membership("9:name=systemd:/\n8:pids:/\n4:memory:/jobs/hub\n0::/\n");
    List<String> words = cgroups().create(LIMITS, "midcourse-a", attempt);
    Path first = memory.resolve("midcourse-a");
    Path second = pids.resolve("midcourse-a");
    assertThat(first.resolve("memory.limit_in_bytes")).hasContent("67108864");
    assertThat(second.resolve("pids.max")).hasContent("40");
    assertThat(words).endsWith(first.toString(), second.toString(), "--");
  }

  @Test
  void only_the_controllers_that_are_needed_must_be_there() throws Exception {
    Path own = unified("/hub.service", "memory", "memory", "");
    TreeLimits memory = new TreeLimits(Optional.of(1L << 30), Optional.empty());
    List<String> _ = cgroups().create(memory, "midcourse-a", attempt);
    assertThat(own.resolve("midcourse-a/pids.max")).doesNotExist();
    assertThatIOException()
        .isThrownBy(() -> cgroups().create(LIMITS, "midcourse-b", attempt))
        .withMessageContaining("no cgroup with the controller pids");
  }

  @Test
  void a_system_without_cgroups_is_refused_with_the_reason() {
    assertThatIOException()
        .isThrownBy(() -> cgroups().create(LIMITS, "midcourse-a", attempt))
        .withMessageContaining("no cgroup with the controller memory");
  }

  /** Stands in for systemd-run: sets nothing, and shows what it was asked for. */
  @Test
  void a_scope_of_systemd_is_used_only_if_it_sets_the_limits() throws Exception {
    Path systemd = folder.resolve("systemd-run");
    script(systemd, "echo 67108864; echo 32");
    TreeLimiter limiter = limiter(systemd);
    assertThat(limiter.obstacle(LIMITS)).isEmpty();
    assertThat(limiter.words(LIMITS, "midcourse-a", attempt))
        .containsSubsequence("XDG_RUNTIME_DIR=/run/user/1", systemd.toString(), "--user", "--scope")
        .contains("--unit=midcourse-a", "MemoryMax=67108864", "TasksMax=40")
        .endsWith("--", "/usr/bin/env", "-u", "XDG_RUNTIME_DIR");
    script(systemd, "echo max; echo max");
    assertThat(limiter.obstacle(LIMITS).orElseThrow()).contains("no cgroup with the controller");
    assertThatIOException().isThrownBy(() -> limiter.words(LIMITS, "midcourse-b", attempt));
  }

  private TreeLimiter limiter(Path systemd) {
    return new TreeLimiter(
        cgroups(),
        Optional.of(
            new SystemdScope(
                systemd,
                false,
                Map.of("XDG_RUNTIME_DIR", "/run/user/1", "PATH", "/usr/bin:/bin"))));
  }

  private static void script(Path file, String line) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Cgroups cgroups() {
    return new Cgroups(folder.resolve("mountinfo"), folder.resolve("cgroup"), HUB);
  }

  /** Creates a hierarchy of version 2 and the hub's cgroup in it. */
  private Path unified(String path, String controllers, String passedOn, String processes)
      throws IOException {
    Path own = Files.createDirectories(tree.resolve(path.substring(1)));
    Files.writeString(own.resolve("cgroup.controllers"), controllers + "\n");
    Files.writeString(own.resolve("cgroup.subtree_control"), passedOn + "\n");
    Files.writeString(own.resolve("cgroup.procs"), processes);
    Files.writeString(
        folder.resolve("mountinfo"),
        "35 25 0:30 / "
            + tree.toString().replace(" ", "\\040")
            + " rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    membership("0::" + path + "\n");
    return own;
  }

  private void mounts(String memory, String pids, String unified) throws IOException {
    String base = tree.toString().replace(" ", "\\040");
    Files.writeString(
        folder.resolve("mountinfo"),
        memory.formatted(base + "/memory")
            + "\n"
            + pids.formatted(base + "/pids")
            + "\n"
            + unified.formatted(base + "/unified")
            + "\n");
  }

  private void membership(String lines) throws IOException {
    Files.writeString(folder.resolve("cgroup"), lines);
  }
}
