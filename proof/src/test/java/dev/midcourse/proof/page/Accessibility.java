package dev.midcourse.proof.page;

import com.microsoft.playwright.Page;
import dev.midcourse.ledger.json.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import tools.jackson.databind.JsonNode;

/** The rules of axe-core, run in the page itself. */
final class Accessibility {
  private static final String RULES = rules();

  /** Each violation as one line: the rule, the element and the reason. */
  private static final String RUN =
      """
      () => axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(
        violations.flatMap((rule) => rule.nodes.map((node) =>
          `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`))))
      """;

  private Accessibility() {}

  private static String rules() {
    try (InputStream in =
        Objects.requireNonNull(Accessibility.class.getResourceAsStream("/axe.min.js"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void assertNoViolations(Page page, String view) {
    page.evaluate(RULES);
    JsonNode violations = JsonCodec.mapper().readTree((String) page.evaluate(RUN));
    Assertions.assertThat(violations.valueStream().map(JsonNode::asString))
        .as("violations of axe-core in " + view)
        .isEmpty();
  }
}
