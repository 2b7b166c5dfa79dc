package dev.midcourse.channels.whatsapp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.PlatformClient;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.core.json.JsonValue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The requests to the platform. */
final class WhatsAppClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration FILE_TIMEOUT = Duration.ofMinutes(2);

  private final WhatsAppSettings settings;
  private final PlatformClient http;

  WhatsAppClient(WhatsAppSettings settings) {
    this.settings = settings;
    this.http = new PlatformClient(settings.secrets());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(settings.api() + "/" + path))
        .header("Authorization", authorization());
  }

  private String authorization() {
    return "Bearer " + settings.token().reveal();
  }

  /** Asks who the phone number is. */
  PlatformResponse phone() throws PlatformException, InterruptedException {
    String fields = "?fields=verified_name,display_phone_number,quality_rating";
    return http.send(request(settings.phone() + fields).GET().build(), TIMEOUT);
  }

  PlatformResponse post(JsonValue.Obj message) throws PlatformException, InterruptedException {
    return http.send(
        request(settings.phone() + "/messages")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(message.toString()))
            .build(),
        TIMEOUT);
  }

  /** Sends a message and says what is known about it. */
  SendResult send(JsonValue.Obj message) throws InterruptedException {
    try {
      PlatformResponse response = post(message);
      if (response.status() / 100 != 2) {
        return failure(response);
      }
      return response.json().objects("messages").stream()
          .flatMap(sent -> sent.string("id").stream())
          .findFirst()
          .<SendResult>map(SendResult.Sent::new)
          .orElseGet(() -> new SendResult.Unknown("the platform gave no id for the message"));
    } catch (PlatformException e) {
      return e.sendResult();
    }
  }

  static SendResult failure(PlatformResponse response) {
    return WhatsAppError.read(response.json().object("error"))
        .sendResult(response.status(), response.retryAfter().orElse(Duration.ZERO));
  }

  /** Gives the platform a file; returns the answer, with the id of the file. */
  PlatformResponse upload(Path file, String name)
      throws PlatformException, FileNotFoundException, InterruptedException {
    String boundary = "midcourse-" + UUID.randomUUID();
    String start =
        """
        --%1$s\r
        Content-Disposition: form-data; name="messaging_product"\r
        \r
        whatsapp\r
        --%1$s\r
        Content-Disposition: form-data; name="file"; filename="%2$s"\r
        Content-Type: application/octet-stream\r
        \r
        """
            .formatted(boundary, name.replace("\"", "_").replaceAll("\\p{Cc}", "_"));
    BodyPublisher body =
        BodyPublishers.concat(
            BodyPublishers.ofString(start),
            BodyPublishers.ofFile(file),
            BodyPublishers.ofString("\r\n--" + boundary + "--\r\n", UTF_8));
    return http.send(
        request(settings.phone() + "/media")
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .POST(body)
            .build(),
        FILE_TIMEOUT);
  }

  /** Asks where a file is, which is known for some minutes, and fetches it from there. */
  void download(String media, Path target, long maxBytes) throws IOException, InterruptedException {
    PlatformResponse where = http.send(request(media).GET().build(), TIMEOUT);
    if (where.status() != 200) {
      throw new IOException(
          "the platform does not give the file: "
              + WhatsAppError.read(where.json().object("error")).shown());
    }
    if (where.json().number("file_size").orElse(0L) > maxBytes) {
      throw new IOException("the file has more than " + maxBytes + " bytes");
    }
    try {
      URI at = URI.create(where.json().string("url").orElse(""));
      http.download(
          at,
          List.of("Authorization", authorization()),
          this::isOfPlatform,
          target,
          maxBytes,
          FILE_TIMEOUT);
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new IOException("the platform gave no address of the file", e);
    }
  }

  private boolean isOfPlatform(URI at) {
    String host = at.getHost() == null ? "" : at.getHost();
    boolean isVendor =
        "https".equals(at.getScheme())
            && (host.endsWith(".fbsbx.com")
                || host.endsWith(".fbcdn.net")
                || host.endsWith(".whatsapp.net")
                || host.endsWith(".facebook.com"));
    return isVendor || settings.api().getAuthority().equals(at.getAuthority());
  }

  @Override
  public void close() {
    http.close();
  }
}
