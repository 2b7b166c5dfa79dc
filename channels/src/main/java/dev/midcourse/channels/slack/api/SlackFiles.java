package dev.midcourse.channels.slack.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.midcourse.channels.ChannelRequest;
import dev.midcourse.channels.SendResult;
import dev.midcourse.channels.http.PlatformException;
import dev.midcourse.channels.http.PlatformResponse;
import dev.midcourse.channels.markdown.MarkdownText;
import dev.midcourse.core.chat.inbound.Attachment;
import dev.midcourse.core.chat.outbound.FileName;
import dev.midcourse.core.json.JsonValue;
import dev.midcourse.core.json.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Sends files in Slack's three steps, and fetches files of people from Slack's hosts. */
public final class SlackFiles {
  private static final Duration TRANSFER_TIMEOUT = Duration.ofMinutes(5);
  private static final int BEGINNING = 512;

  private final SlackClient client;

  public SlackFiles(SlackClient client) {
    this.client = client;
  }

  /** Whether the text is the address of a file. */
  public static boolean isAddress(String text) {
    try {
      URI address = URI.create(text);
      return address.getHost() != null
          && ("https".equals(address.getScheme()) || "http".equals(address.getScheme()));
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  /** Uploads a file and shows it in the chat. People see nothing before the last step. */
  public SendResult send(ChannelRequest.SendFile request) throws InterruptedException {
    FileName name = FileName.safe(request.name());
    long bytes;
    try {
      bytes = Files.size(request.file());
    } catch (IOException e) {
      return new SendResult.Refused("the file " + name + " cannot be read");
    }
    SlackAnswer begun;
    try {
      begun =
          client.call(
              "files.getUploadURLExternal",
              Map.of("filename", name.value(), "length", Long.toString(bytes)));
    } catch (PlatformException e) {
      return later(String.valueOf(e.getMessage()));
    }
    if (!(begun instanceof SlackAnswer.Done(JsonValue.Obj body, var _))) {
      return begun instanceof SlackAnswer.Unclear(String reason)
          ? later(reason)
          : SlackErrors.sendResult(begun);
    }
    Optional<String> id = body.string("file_id").filter(SlackIds::isId);
    Optional<URI> target =
        body.string("upload_url")
            .filter(SlackFiles::isAddress)
            .map(URI::create)
            .filter(client::isOfSlack);
    if (id.isEmpty() || target.isEmpty()) {
      return new SendResult.Refused("Slack named no address for the file");
    }
    return upload(request, target.get()).orElseGetResult(() -> complete(request, name, id.get()));
  }

  private static SendResult later(String reason) {
    return new SendResult.RetryAfter(Duration.ZERO, reason);
  }

  private interface Completion {
    SendResult run() throws InterruptedException;
  }

  /** The problem of a step, if it had one. */
  private record Step(Optional<SendResult> problem) {
    SendResult orElseGetResult(Completion completion) throws InterruptedException {
      return problem.isPresent() ? problem.get() : completion.run();
    }
  }

  private Step upload(ChannelRequest.SendFile request, URI target) throws InterruptedException {
    try {
      HttpRequest upload =
          HttpRequest.newBuilder(target)
              .header("Content-Type", "application/octet-stream")
              .POST(HttpRequest.BodyPublishers.ofFile(request.file()))
              .build();
      PlatformResponse answer = client.http().send(upload, TRANSFER_TIMEOUT);
      return answer.status() == 200
          ? new Step(Optional.empty())
          : new Step(Optional.of(later("Slack took the file with status " + answer.status())));
    } catch (IOException e) {
      return new Step(Optional.of(later("the file could not be uploaded: " + e.getMessage())));
    }
  }

  private SendResult complete(ChannelRequest.SendFile request, FileName name, String id)
      throws InterruptedException {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("channel_id", request.to().chat());
    request.to().thread().ifPresent(thread -> arguments.put("thread_ts", thread));
    arguments.put(
        "files",
        JsonWriter.compact(
            new JsonValue.Arr(
                List.of(JsonValue.object().with("id", id).with("title", name.value())))));
    request
        .caption()
        .filter(caption -> !caption.isBlank())
        .ifPresent(caption -> arguments.put("initial_comment", MarkdownText.toSlack(caption)));
    try {
      SlackAnswer answer = client.call("files.completeUploadExternal", arguments);
      return answer instanceof SlackAnswer.Done
          ? new SendResult.Sent(id)
          : SlackErrors.sendResult(answer);
    } catch (PlatformException e) {
      return e.sendResult();
    }
  }

  /** Fetches a file of a message. */
  public void fetch(Attachment attachment, Path target, long maxBytes) throws IOException {
    try {
      URI from = address(attachment.reference());
      client
          .http()
          .download(
              from,
              List.of("Authorization", "Bearer " + client.botToken().reveal()),
              client::isOfSlack,
              target,
              maxBytes,
              TRANSFER_TIMEOUT);
      refuseLoginPage(attachment, target);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the hub was closed while it fetched the file", e);
    }
  }

  private URI address(String reference) throws IOException, InterruptedException {
    if (isAddress(reference)) {
      return URI.create(reference);
    }
    SlackAnswer answer = client.call("files.info", Map.of("file", reference));
    if (answer instanceof SlackAnswer.Done(JsonValue.Obj body, var _)) {
      Optional<String> url =
          body.object("file").string("url_private_download").filter(SlackFiles::isAddress);
      if (url.isPresent()) {
        return URI.create(url.get());
      }
    }
    throw new IOException(
        answer instanceof SlackAnswer.Failed failed
            ? failed.shown()
            : "Slack does not say where the file is");
  }

  /** Without the right to read a file, Slack answers with success and its login page. */
  private static void refuseLoginPage(Attachment attachment, Path file) throws IOException {
    boolean wholeFile = attachment.bytes() > 0 && Files.size(file) == attachment.bytes();
    if (wholeFile || !isHtml(file)) {
      return;
    }
    boolean mayBeHtml = attachment.bytes() == 0 && attachment.mediaType().contains("html");
    if (!mayBeHtml) {
      Files.delete(file);
      throw new IOException(
          "Slack answered with a page instead of the file; give the app the scope files:read and"
              + " install it again");
    }
  }

  private static boolean isHtml(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String beginning =
          new String(in.readNBytes(BEGINNING), ISO_8859_1).stripLeading().toLowerCase(Locale.ROOT);
      return beginning.startsWith("<!doctype html") || beginning.startsWith("<html");
    }
  }
}
