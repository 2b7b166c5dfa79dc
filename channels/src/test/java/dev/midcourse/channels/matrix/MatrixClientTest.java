package dev.midcourse.channels.matrix;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the fake homeserver is one that a client of other people accepts: matrix-js-sdk. */
@Tag("setup")
class MatrixClientTest {
  @TempDir Path folder;

  @Test
  void matrix_js_sdk_talks_with_the_bot_over_the_fake_homeserver() throws Exception {
    try (FakeMatrix server = new FakeMatrix()) {
      MatrixTalk.check(
          MatrixTalk.run(
              server.url().toString(),
              new MatrixTalk.Account(FakeMatrix.BOT, FakeMatrix.token(FakeMatrix.BOT)),
              new MatrixTalk.Account(FakeMatrix.ANN, FakeMatrix.token(FakeMatrix.ANN)),
              folder));
    }
  }
}
