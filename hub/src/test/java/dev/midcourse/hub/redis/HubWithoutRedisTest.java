package dev.midcourse.hub.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.HubProcess;
import dev.midcourse.hub.RawClient;
import java.io.File;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub without Redis in its settings pays nothing for it. */
@Tag("slow")
class HubWithoutRedisTest {
  @TempDir Path temp;

  @Test
  void no_class_of_the_client_library_is_loaded() throws Exception {
    Path loaded = temp.resolve("classes.log");
    Path data = temp.resolve("data");
    List<String> command = HubProcess.command();
    command.add(1, "-Xlog:class+load:file=" + loaded);
    command.addAll(List.of("--port", "0"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File(temp.toFile(), "hub.out"));
    builder.environment().put("MIDCOURSE_HOME", data.toString());
    Process hub = builder.start();
    try {
      RawClient client =
          new RawClient(UnixDomainSocketAddress.of(data.resolve("hub.sock")), Map.of());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> client.get("/api/v1/health").status() == 200);
    } finally {
      hub.destroyForcibly().waitFor();
    }
    assertThat(Files.readString(loaded))
        .contains("dev.midcourse.hub.HubStartup ")
        .doesNotContain(" io.lettuce.", " io.netty.", " reactor.", "dev.midcourse.hub.redis.");
  }
}
