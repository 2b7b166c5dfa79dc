package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/** A hub and a browser before it, and what a person's hands do there again and again. */
record House(PageHub hub, Browsing browsing) implements AutoCloseable {
  private static final Path PICTURES = Path.of("target", "pictures");

  /** A program that cannot be steered, one that says what it was told, and a lane for many runs. */
  static final String SETTINGS =
      """
      [agents.plain]
      driver = "command"
      command = "/bin/sh"
      arguments = ["-c", "echo plain words; exec sleep 600"]

      [agents.parrot]
      driver = "command"
      command = "cat"
      prompt = "stdin"

      [workers.lane]
      agent = "rehearsal"
      """;

  static House open(Path data) throws IOException {
    PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
    Files.createDirectories(data);
    if (!Files.exists(data.resolve("midcourse.toml"))) {
      Files.writeString(data.resolve("midcourse.toml"), SETTINGS);
    }
    return new House(PageHub.start(data), Browsing.open(PICTURES));
  }

  Page at(String path) {
    Page page = browsing.desk();
    page.navigate(hub.link(path));
    return page;
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  static void steer(Page page, String text) {
    page.getByLabel("Tell the agent").fill(text);
    button(page, "Send").click();
  }

  static Locator rung(Page page, String name) {
    return page.locator(".receipt .rung[data-rung=" + name + "]").first();
  }

  static void assertClimbed(Page page, String rung) {
    assertThat(rung(page, rung)).hasAttribute("data-claimed", "yes");
  }

  void awaitEvent(String run, String words) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> hub.get("/runs/" + run + "/events?limit=1000").toString().contains(words));
  }

  void awaitState(String run, String state) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hub.state(run).equals(state));
  }

  /** Closes the pages of a test; none may have complained. */
  void assertNoComplaints() {
    browsing.closePages();
    Assertions.assertThat(browsing.complaints()).isEmpty();
  }

  @Override
  public void close() throws InterruptedException {
    browsing.close();
    hub.close();
  }
}
