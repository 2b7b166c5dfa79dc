package dev.midcourse.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.midcourse.core.RefusedException;
import dev.midcourse.hub.settings.SettingsFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every content of midcourse.toml is either valid or refused with its position and its rule. */
@Tag("fuzz")
class SettingsFuzzTest {
  @TempDir static Path data;

  @MethodSource("files")
  @FuzzTest(maxDuration = "2m")
  void midcourse_toml(@NotNull String text) throws IOException {
    Path file = data.resolve(SettingsFile.NAME);
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    try {
      SettingsFile.read(data);
    } catch (RefusedException refused) {
      assertThat(refused.problem().message()).isNotBlank();
    }
  }

  static Stream<Arguments> files() {
    return Stream.of(
            "[hub]\nport = 99999\n",
            "[hub]\nport = \"x\"\nhost = 7\n",
            "[workers.\"../x\"]\nagent = \"codex\"\n",
            "[groups.a]\nrole = \"king\"\nworkers = [1, [2]]\n",
            "[agents.claude]\nenvironment = { A = 1 }\n",
            "a = 1979-05-27T07:32:00Z\n[[hub]]\n",
            "[hub]\n\"\\u0000\" = 1\n",
            "= = =")
        .map(Arguments::of);
  }
}
