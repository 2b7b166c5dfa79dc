package dev.midcourse.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.auth.PeerProcess.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerProcessTest {
  @TempDir Path proc;

  private void stat(long pid, String name, long startTicks) throws IOException {
    Files.createDirectories(proc.resolve("" + pid));
    Files.writeString(
        proc.resolve(pid + "/stat"),
        pid + " (" + name + ") S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + startTicks + " 0 0\n");
  }

  private PeerProcess byStartTime(long pid) {
    return new PeerProcess(pid, 0, PeerProcess.startTime(proc, pid));
  }

  /** Seen to fail when only the number is compared. */
  @Test
  void a_number_that_another_process_got_meanwhile_is_noticed_by_the_start_time() throws Exception {
    stat(7, "curl", 100);
    PeerProcess peer = byStartTime(7);
    assertThat(peer.isSame()).isTrue();
    stat(7, "a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 (", 200);
    assertThat(peer.isSame()).isFalse();
  }

  /** Seen to fail when two processes that are not there count as the same. */
  @Test
  void a_process_that_has_ended_is_not_the_same() throws Exception {
    assertThat(byStartTime(8).isSame()).isFalse();
    stat(9, "curl", 100);
    PeerProcess peer = byStartTime(9);
    Files.delete(proc.resolve("9/stat"));
    assertThat(peer.isSame()).isFalse();
  }

  @Test
  void the_descriptor_of_a_process_tells_whether_it_has_ended_and_is_closed_once()
      throws Exception {
    Path info = Files.createDirectories(proc.resolve("self/fdinfo")).resolve("30");
    List<Integer> closed = new ArrayList<>();
    try (PeerProcess peer = new PeerProcess(7, 0, new Handle.Descriptor(proc, 30, closed::add))) {
      Files.writeString(info, "pos:\t0\nflags:\t02000002\nPid:\t7\nNSpid:\t7\n");
      assertThat(peer.isSame()).isTrue();
      Files.writeString(info, "pos:\t0\nflags:\t02000002\nPid:\t-1\nNSpid:\t-1\n");
      assertThat(peer.isSame()).isFalse();
    }
    assertThat(closed).containsExactly(30);
  }
}
