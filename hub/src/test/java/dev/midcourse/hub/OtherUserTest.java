package dev.midcourse.hub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs as root, which can start a process of another user. */
class OtherUserTest {
  private static final String NOBODY = "65534";

  @TempDir Path data;

  private String asNobody() throws Exception {
    Process curl =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                "curl",
                "-s",
                "-w",
                "%{http_code}",
                "--unix-socket",
                data.resolve("hub.sock").toString(),
                "http://localhost/api/v1/health")
            .redirectErrorStream(true)
            .start();
    String said = new String(curl.getInputStream().readAllBytes(), UTF_8);
    curl.waitFor();
    return said;
  }

  /** Seen to fail when the hub does not check the user of the calling process. */
  @Test
  void another_user_does_not_reach_the_socket_and_is_refused_where_its_file_is_open()
      throws Exception {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root can");
    for (String program : List.of("/usr/bin/setpriv", "/usr/bin/curl")) {
      Assumptions.assumeTrue(Files.isExecutable(Path.of(program)), program + " is missing");
    }
    try (HubFixture fixture = HubFixture.open(data)) {
      assertThat(fixture.socket().get("/api/v1/health").status()).isEqualTo(200);
      assertThat(asNobody()).as("the folder is closed").endsWith("000");
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
      assertThat(asNobody()).as("the socket is closed").endsWith("000");
      Files.setPosixFilePermissions(
          data.resolve("hub.sock"), PosixFilePermissions.fromString("rw-rw-rw-"));
      assertThat(asNobody()).endsWith("401").contains("user 65534 does not own this hub");
    }
  }

  /** Seen to fail when a caller whose environment the hub cannot read is always refused. */
  @Test
  @Tag("slow")
  void root_is_let_in_at_the_socket_of_another_user() throws Exception {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root can");
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/setpriv")), "/usr/bin/setpriv is missing");
    Path home = Files.createDirectory(data.resolve("home"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setAttribute(home, "unix:uid", Integer.parseInt(NOBODY));
    try (HubProcess hub = HubProcess.startAs(NOBODY, home, "--port", "0")) {
      assertThat(hub.up().client().get("/api/v1/health").status()).isEqualTo(200);
    }
  }
}
