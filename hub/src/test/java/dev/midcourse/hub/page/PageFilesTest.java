package dev.midcourse.hub.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.midcourse.hub.http.route.ApiResponse;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks of the page's files that need no browser. */
class PageFilesTest {
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"(/[^\"]+)\"");
  private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\"");

  /** Every way in which text could become markup or code. */
  private static final Pattern MARKUP =
      Pattern.compile(
          "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|createContextualFragment"
              + "|DOMParser|srcdoc|\\beval\\(|new Function|setAttribute\\(\"style\"");

  private static final Pattern ELSEWHERE = Pattern.compile("(?:https?:)?//[a-z0-9-]+\\.[a-z]");

  private static Path folder() throws URISyntaxException {
    Path index = Path.of(Objects.requireNonNull(PageFiles.class.getResource("index.html")).toURI());
    return index.resolveSibling("");
  }

  private static List<Path> sources() throws IOException, URISyntaxException {
    try (Stream<Path> files = Files.walk(folder())) {
      return files
          .filter(file -> file.toString().matches(".*\\.(html|css|js|svg)"))
          .sorted()
          .toList();
    }
  }

  private static String served(String path) {
    Optional<ApiResponse> answer = new PageFiles().at(path, Optional.empty());
    assertThat(answer).as(path).isPresent();
    return answer.get() instanceof ApiResponse.Bytes bytes
        ? new String(bytes.bytes(), StandardCharsets.UTF_8)
        : "";
  }

  @Test
  void every_file_that_the_page_names_is_served() throws Exception {
    Matcher links = LINK.matcher(served("/"));
    int count = 0;
    for (; links.find(); count++) {
      assertThat(served(links.group(1))).isNotEmpty();
    }
    assertThat(count).isPositive();
    for (Path source : sources()) {
      Matcher imports = IMPORT.matcher(Files.readString(source));
      while (imports.find()) {
        assertThat(served("/js/" + imports.group(1))).isNotEmpty();
      }
    }
  }

  @Test
  void no_words_become_markup_or_code() throws Exception {
    for (Path source : sources()) {
      assertThat(MARKUP.matcher(Files.readString(source)).results().map(m -> m.group()))
          .as(source.toString())
          .isEmpty();
    }
  }

  @Test
  void nothing_is_loaded_from_elsewhere() throws Exception {
    for (Path source : sources()) {
      String text = Files.readString(source).replace("http://www.w3.org/2000/svg", "");
      assertThat(ELSEWHERE.matcher(text).results().map(m -> m.group()))
          .as(source.toString())
          .isEmpty();
    }
  }
}
