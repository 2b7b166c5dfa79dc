package dev.midcourse.proof.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.proof.bench.fixture.FreePorts;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** An nginx in front of a hub, which uses one connection to the hub for all its clients. */
final class ReverseProxy implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 120_000;
  private static final List<Path> PROGRAMS =
      List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/bin/nginx"));

  private final int port;
  private final Process process;

  private ReverseProxy(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  static boolean isInstalled() {
    return program().findFirst().isPresent();
  }

  private static Stream<Path> program() {
    return PROGRAMS.stream().filter(Files::isExecutable);
  }

  /**
   * Starts it in a folder of its own.
   *
   * @param passesOn further settings of nginx for requests to the hub
   */
  static ReverseProxy start(Path folder, int hub, String passesOn) throws IOException {
    int port = FreePorts.next();
    Path configuration = folder.resolve("nginx.conf");
    Files.writeString(
        configuration,
        """
        user root;
        daemon off;
        worker_processes 1;
        pid %1$s/nginx.pid;
        error_log stderr warn;
        events { worker_connections 256; }
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
          upstream hub { server 127.0.0.1:%2$d; keepalive 1; }
          server {
            listen 127.0.0.1:%3$d;
            location / {
              proxy_pass http://hub;
              proxy_http_version 1.1;
              proxy_buffering off;
              proxy_set_header Connection "";
              proxy_set_header Host hub.example.org;
              %4$s
            }
          }
        }
        """
            .formatted(folder, hub, port, passesOn));
    Process process =
        new ProcessBuilder(
                program().findFirst().orElseThrow().toString(), "-c", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(folder.resolve("nginx.out").toFile()))
            .start();
    ReverseProxy proxy = new ReverseProxy(port, process);
    Awaitility.await("nginx listens")
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .failFast("nginx ended: " + folder.resolve("nginx.out"), () -> !process.isAlive())
        .until(() -> {
          proxy.connect().close();
          return true;
        });
    return proxy;
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /** Sends the lines and the body as a client of its own, and returns what the proxy answers. */
  String send(List<String> lines, String body) throws IOException {
    try (Socket socket = connect()) {
      String request = String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n" + body;
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
