package dev.midcourse.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultipartBodyTest {
  @TempDir Path folder;

  /** Seen to fail when the names are not escaped. */
  @Test
  void a_name_ends_neither_its_quotes_nor_its_line() throws Exception {
    Path file = Files.writeString(folder.resolve("x"), "ü");
    MultipartBody form =
        new MultipartBody()
            .field("chat", "1")
            .file("file", "a\"; name=\"chat\r\n\r\n7", "application/octet-stream", file);

    String boundary = form.contentType().replace("multipart/form-data; boundary=", "");
    assertThat(bytes(form.publisher()))
        .isEqualTo(
            """
            --%1$s
            Content-Disposition: form-data; name="chat"

            1
            --%1$s
            Content-Disposition: form-data; name="file"; filename="a%%22; name=%%22chat%%0D%%0A%%0D%%0A7"
            Content-Type: application/octet-stream

            ü
            --%1$s--
            """
                .formatted(boundary)
                .replace("\n", "\r\n"));
  }

  @Test
  void the_length_is_known_and_a_file_that_is_gone_is_told() throws IOException {
    Path file = Files.writeString(folder.resolve("x"), "ü");
    MultipartBody form = new MultipartBody().file("file", "x", "text/plain", file);

    assertThat(form.publisher().contentLength()).isPositive();
    Files.delete(file);
    assertThatThrownBy(() -> new MultipartBody().file("file", "x", "text/plain", file))
        .isInstanceOf(FileNotFoundException.class);
  }

  private static String bytes(BodyPublisher publisher) {
    BodySubscriber<String> text = BodySubscribers.ofString(UTF_8);
    publisher.subscribe(
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            text.onSubscribe(subscription);
          }

          @Override
          public void onNext(ByteBuffer item) {
            text.onNext(List.of(item));
          }

          @Override
          public void onError(Throwable failure) {
            text.onError(failure);
          }

          @Override
          public void onComplete() {
            text.onComplete();
          }
        });
    return text.getBody().toCompletableFuture().join();
  }
}
