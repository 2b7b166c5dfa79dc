package dev.midcourse.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The body of a request with several parts ({@code multipart/form-data}). Files are streamed. */
public final class MultipartBody {
  private final String boundary = "midcourse-" + UUID.randomUUID();
  private final List<BodyPublisher> parts = new ArrayList<>();

  /** Adds a field of a form. */
  public MultipartBody field(String name, String value) {
    parts.add(text(head(name, "") + "\r\n" + value + "\r\n"));
    return this;
  }

  /** Adds a text of a media type. */
  public MultipartBody text(String name, String contentType, String value) {
    parts.add(text(head(name, "") + type(contentType) + value + "\r\n"));
    return this;
  }

  /**
   * Adds the content of a file.
   *
   * @throws FileNotFoundException if the file does not exist or cannot be read
   */
  public MultipartBody file(String name, String fileName, String contentType, Path file)
      throws FileNotFoundException {
    String given = "; filename=\"" + quoted(fileName) + "\"";
    BodyPublisher content = BodyPublishers.ofFile(file);
    parts.add(text(head(name, given) + type(contentType)));
    parts.add(content);
    parts.add(text("\r\n"));
    return this;
  }

  /** The value of the header {@code Content-Type}. */
  public String contentType() {
    return "multipart/form-data; boundary=" + boundary;
  }

  public BodyPublisher publisher() {
    List<BodyPublisher> all = new ArrayList<>(parts);
    all.add(text("--" + boundary + "--\r\n"));
    return BodyPublishers.concat(all.toArray(BodyPublisher[]::new));
  }

  private String head(String name, String more) {
    return "--%s\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n"
        .formatted(boundary, quoted(name), more);
  }

  private static String type(String contentType) {
    return "Content-Type: " + contentType + "\r\n\r\n";
  }

  /** Escapes what would end the quoted name, as browsers do. */
  private static String quoted(String text) {
    return text.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static BodyPublisher text(String text) {
    return BodyPublishers.ofString(text, UTF_8);
  }
}
