package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.midcourse.core.Problem.Code;
import dev.midcourse.core.RefusedException;
import dev.midcourse.core.watch.StallPolicy;
import dev.midcourse.hub.boot.HubFile;
import dev.midcourse.hub.settings.HubSettings;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubStartTest {
  /** 127.0.0.1, the same as IPv6 has it, and ::1. */
  private static final Set<String> LOOPBACK_AS_THE_KERNEL_WRITES_IT =
      Set.of("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000");

  private static final String KEEP_TOKEN = "[hub]\nkeep_token = true\n";

  @TempDir Path temp;

  private static RefusedException refusal(HubSettings settings) {
    try (Hub hub = Hub.start(settings)) {
      throw new AssertionError("it started: " + hub.url());
    } catch (RefusedException e) {
      return e;
    }
  }

  /** Seen to fail when the data folder is not locked. */
  @Test
  void t36_a_second_hub_on_the_same_folder_is_refused_with_the_owner_and_disturbs_nothing() {
    Path data = temp.resolve("data");
    try (HubFixture fixture = HubFixture.open(data)) {
      RefusedException refused = refusal(HubSettings.in(data).withPort(0));
      assertThat(refused.problem().code()).isEqualTo(Code.UNAVAILABLE);
      assertThat(refused.getMessage())
          .contains("process " + ProcessHandle.current().pid())
          .contains(fixture.hub().url())
          .contains(data.toString());
      assertThat(fixture.socket().get("/api/v1/health").status()).isEqualTo(200);
    }
    try (HubFixture next = HubFixture.open(data)) {
      assertThat(next.socket().get("/api/v1/health").status()).isEqualTo(200);
    }
  }

  /** Seen to fail when a hub without a configured port takes any free one at each start. */
  @Test
  void a_hub_has_the_port_of_the_last_hub_of_its_folder() throws Exception {
    Path data = temp.resolve("data");
    int first;
    try (Hub hub = Hub.start(HubSettings.in(data).withPort(0))) {
      first = hub.port();
    }
    try (Hub hub = Hub.start(HubSettings.in(data))) {
      assertThat(hub.port()).isEqualTo(first);
    }
    try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getLoopbackAddress());
        Hub hub = Hub.start(HubSettings.in(data).withPort(0))) {
      assertThat(taken.isBound()).isTrue();
      assertThat(hub.port()).isNotEqualTo(first);
    }
  }

  @Test
  void a_folder_that_is_a_file_is_refused_with_its_name() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "x");
    assertThat(refusal(HubSettings.in(file).withPort(0)).getMessage())
        .contains(file.toString())
        .contains("MIDCOURSE_HOME");
    assertThat(refusal(HubSettings.in(file.resolve("below")).withPort(0)).getMessage())
        .contains(file.toString());
  }

  @Test
  void a_folder_that_cannot_be_written_is_refused_with_its_name() {
    // A file system on which no user can create a folder.
    Path data = Path.of("/proc/self/midcourse");
    assertThat(refusal(HubSettings.in(data).withPort(0)).getMessage())
        .contains("cannot write to " + data)
        .contains("MIDCOURSE_HOME");
  }

  @Test
  void a_folder_that_other_users_can_read_is_closed_to_them() throws Exception {
    Path data = Files.createDirectory(temp.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(data.resolve("midcourse.toml"), KEEP_TOKEN);
    Files.writeString(data.resolve("token"), "a-token-that-is-long-enough-for-a-hub\n");
    Files.setPosixFilePermissions(
        data.resolve("token"), PosixFilePermissions.fromString("rw-r--r--"));
    try (HubFixture fixture = HubFixture.asTheFileSays(data)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
          .isEqualTo("rwx------");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("token"))))
          .isEqualTo("rw-------");
      assertThat(fixture.token())
          .as("the token is kept")
          .isEqualTo("a-token-that-is-long-enough-for-a-hub");
      assertThat(fixture.tcp().get("/api/v1/health").status()).isEqualTo(200);
    }
  }

  @Test
  void a_token_that_could_be_guessed_is_refused() throws Exception {
    Files.writeString(temp.resolve("midcourse.toml"), KEEP_TOKEN);
    Files.writeString(temp.resolve("token"), "secret\n");
    assertThat(refusal(SettingsFile.read(temp).withPort(0)).getMessage())
        .contains("too short")
        .doesNotContain("secret\n");
  }

  @Test
  void the_name_of_the_host_is_the_same_again_after_a_restart() throws Exception {
    HubFixture.open(temp).close();
    String host = Files.readString(temp.resolve("host"));
    try (HubFixture again = HubFixture.open(temp)) {
      assertThat(again.hub().engine().settings().host().value()).isEqualTo(host.strip());
    }
  }

  /** Seen to fail when the token of the file is used again. */
  @Test
  void the_token_is_another_one_after_a_restart_and_the_old_one_is_refused() throws Exception {
    HubFixture.open(temp).close();
    String token = Files.readString(temp.resolve("token")).strip();
    assertThat(token).hasSizeGreaterThanOrEqualTo(40);
    try (HubFixture again = HubFixture.open(temp)) {
      assertThat(again.token()).isNotEqualTo(token);
      RawClient old = again.stranger().with("Authorization", "Bearer " + token);
      assertThat(old.get("/api/v1/health").status()).isEqualTo(401);
      assertThat(again.tcp().get("/api/v1/health").status()).isEqualTo(200);
    }
  }

  @Test
  void the_token_stays_when_the_settings_say_so() throws Exception {
    Files.writeString(temp.resolve("midcourse.toml"), KEEP_TOKEN);
    HubFixture.asTheFileSays(temp).close();
    String token = Files.readString(temp.resolve("token")).strip();
    try (HubFixture again = HubFixture.asTheFileSays(temp)) {
      assertThat(again.token()).isEqualTo(token);
      assertThat(again.tcp().get("/api/v1/health").status()).isEqualTo(200);
    }
  }

  @Test
  void a_hub_says_where_it_is_and_takes_that_back_when_it_leaves() {
    try (HubFixture fixture = HubFixture.open(temp)) {
      HubFile file = HubFile.read(temp).orElseThrow();
      assertThat(file.pid()).isEqualTo(ProcessHandle.current().pid());
      assertThat(file.url()).isEqualTo(fixture.hub().url());
    }
    assertThat(HubFile.read(temp)).isEmpty();
    assertThat(temp.resolve("hub.sock")).doesNotExist();
  }

  @Test
  void the_files_of_a_killed_hub_do_not_prevent_a_start() throws Exception {
    Files.writeString(temp.resolve("hub.sock"), "");
    Files.writeString(temp.resolve("hub.json"), "{\"pid\":1}");
    Files.writeString(temp.resolve("hub.lock"), "");
    try (HubFixture fixture = HubFixture.open(temp)) {
      assertThat(fixture.socket().get("/api/v1/health").status()).isEqualTo(200);
    }
  }

  @Test
  void a_port_that_is_taken_is_refused_when_it_was_asked_for() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      RefusedException refused = refusal(HubSettings.in(temp).withPort(taken.getLocalPort()));
      assertThat(refused.getMessage()).contains("" + taken.getLocalPort());
    }
    try (HubFixture fixture = HubFixture.open(temp)) {
      assertThat(fixture.hub().port()).as("nothing was left open").isPositive();
    }
  }

  @Test
  void the_hub_listens_beyond_this_machine_only_when_that_was_said_to_be_meant() {
    HubSettings defaults = HubSettings.in(temp);
    assertThatThrownBy(() -> wide(defaults, false))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("--insecure");
    assertThat(wide(defaults, true).host()).isEqualTo("0.0.0.0");
  }

  /** The kernel reports the address. Seen to fail when the port is bound without its host. */
  @Test
  void the_port_is_bound_to_this_machines_own_address() throws Exception {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "the kernel does not tell");
    try (Hub hub = Hub.start(HubSettings.in(temp).withPort(0))) {
      assertThat(listeningOn(hub.port())).isNotEmpty().isSubsetOf(LOOPBACK_AS_THE_KERNEL_WRITES_IT);
    }
    try (Hub hub = Hub.start(wide(HubSettings.in(temp), true))) {
      assertThat(listeningOn(hub.port()))
          .isNotEmpty()
          .doesNotContainAnyElementsOf(LOOPBACK_AS_THE_KERNEL_WRITES_IT);
    }
  }

  /** Returns the addresses on which a process listens at this port. */
  private static Set<String> listeningOn(int port) throws IOException {
    Set<String> addresses = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (Files.exists(Path.of(table))) {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] words = line.strip().split("\\s+", 5);
          String[] local = words[1].split(":", 2);
          if (words[3].equals("0A") && Integer.parseInt(local[1], 16) == port) {
            addresses.add(local[0]);
          }
        }
      }
    }
    return addresses;
  }

  private static HubSettings wide(HubSettings defaults, boolean insecure) {
    return new HubSettings(
        defaults.data(),
        "0.0.0.0",
        Optional.of(0),
        insecure,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        defaults.maxRunning(),
        defaults.keepToken(),
        defaults.workers(),
        defaults.agents(),
        StallPolicy.DEFAULT,
        defaults.redis(),
        defaults.channels(),
        defaults.chat(),
        defaults.forges());
  }

  @Test
  void a_ledger_that_cannot_be_opened_leaves_nothing_behind() throws Exception {
    Files.writeString(
        temp.resolve("midcourse.db"), "this is not a database, but it is long enough");
    RefusedException refused = refusal(HubSettings.in(temp).withPort(0));
    assertThat(refused.problem().code()).isEqualTo(Code.UNAVAILABLE);
    Files.delete(temp.resolve("midcourse.db"));
    try (HubFixture fixture = HubFixture.open(temp)) {
      assertThat(fixture.socket().get("/api/v1/health").status()).isEqualTo(200);
    }
  }
}
