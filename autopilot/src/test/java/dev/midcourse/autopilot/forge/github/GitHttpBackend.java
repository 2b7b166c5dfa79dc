package dev.midcourse.autopilot.forge.github;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.midcourse.autopilot.forge.fixture.FakeHost.Reply;
import dev.midcourse.autopilot.forge.fixture.FakeHost.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lets git's own server program answer requests of git. */
final class GitHttpBackend {
  private final Path folder;

  /**
   * @param folder with the repositories
   */
  GitHttpBackend(Path folder) {
    this.folder = folder;
  }

  Reply answer(Seen request, String path) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("git", "http-backend").redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.put("GIT_PROJECT_ROOT", folder.toString());
    environment.put("GIT_HTTP_EXPORT_ALL", "1");
    environment.put("GIT_CONFIG_NOSYSTEM", "1");
    environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
    environment.put("PATH_INFO", path);
    environment.put("REQUEST_METHOD", request.method());
    environment.put("QUERY_STRING", request.query());
    environment.put("CONTENT_TYPE", request.header("content-type"));
    environment.put("CONTENT_LENGTH", Integer.toString(request.body().length));
    environment.put("REMOTE_USER", "ann");
    environment.put("REMOTE_ADDR", "127.0.0.1");
    environment.put("HTTP_CONTENT_ENCODING", request.header("content-encoding"));
    environment.put("GIT_PROTOCOL", request.header("git-protocol"));
    Path output = Files.createTempFile(folder, "answer", ".tmp");
    try {
      Process process = builder.redirectOutput(output.toFile()).start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(request.body());
      }
      process.waitFor();
      return reply(Files.readAllBytes(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static Reply reply(byte[] output) {
    String text = new String(output, ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    int status = 200;
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : text.substring(0, Math.max(0, end)).split("\r\n", -1)) {
      int colon = line.indexOf(':');
      if (line.startsWith("Status:")) {
        status = Integer.parseInt(line.substring(8, 11));
      } else if (colon > 0) {
        headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
    }
    return new Reply(status, Arrays.copyOfRange(output, end + 4, output.length), headers);
  }
}
