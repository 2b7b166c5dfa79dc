package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.midcourse.proof.bench.fixture.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/**
 * A hub and a browser for all tests of a class, and frequent actions of a user. After each test, no
 * page may have reported an error.
 */
final class PageFixture implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final Path PICTURES = Path.of("target", "pictures");
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /**
   * A program that cannot be steered, one that repeats its instructions, and a worker for many
   * runs.
   */
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

  private final Furnishing furnishing;
  private @Nullable Path folder;
  private @Nullable PageHub hub;
  private @Nullable Browsing browsing;

  PageFixture() {
    this(PageFixture::withSettings);
  }

  PageFixture(Furnishing furnishing) {
    this.furnishing = furnishing;
  }

  /** Prepares the data folder {@code data} before the hub starts. */
  interface Furnishing {
    void in(PageFixture fixture) throws Exception;
  }

  private static void withSettings(PageFixture fixture) throws IOException {
    Files.writeString(fixture.data().resolve("midcourse.toml"), SETTINGS);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    PlaywrightAssertions.setDefaultAssertionTimeout(Browsing.MILLIS_TIMEOUT);
    folder = Folders.make();
    Files.createDirectories(data());
    furnishing.in(this);
    hub = PageHub.start(data());
    browsing = Browsing.open(PICTURES);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    browsing().closePages();
    Assertions.assertThat(browsing().takeComplaints()).isEmpty();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (browsing != null) {
      browsing.close();
    }
    if (hub != null) {
      hub.close();
    }
    if (folder != null) {
      Folders.delete(folder);
    }
  }

  Path folder() {
    return Objects.requireNonNull(folder);
  }

  Path data() {
    return folder().resolve("data");
  }

  PageHub hub() {
    return Objects.requireNonNull(hub);
  }

  Browsing browsing() {
    return Objects.requireNonNull(browsing);
  }

  Page at(String path) {
    Page page = browsing().newPage();
    page.navigate(hub().link(path));
    return page;
  }

  static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  static void steer(Page page, String text) {
    page.getByLabel("Message to the agent").fill(text);
    button(page, "Send").click();
  }

  static Locator rung(Page page, String name) {
    return page.locator(".receipt .rung[data-rung=" + name + "]").first();
  }

  static void assertClimbed(Page page, String rung) {
    assertThat(rung(page, rung)).hasAttribute("data-claimed", "yes");
  }

  /** Waits until the agent of the run has written a message that contains this text. */
  void awaitSaid(String run, String words) {
    awaitEvent(run, "said", event -> event.path("text").asString("").contains(words));
  }

  /** Waits until the agent of the run has started this command. */
  void awaitTool(String run, String command) {
    awaitEvent(run, "tool_started", event -> event.path("summary").asString("").equals(command));
  }

  private void awaitEvent(String run, String kind, Predicate<JsonNode> which) {
    Awaitility.await(kind + " of " + run)
        .atMost(TIMEOUT)
        .until(() ->
            hub()
                .get("/runs/" + run + "/events?limit=1000")
                .path("events")
                .valueStream()
                .filter(event -> event.path("kind").asString("").equals(kind))
                .anyMatch(which));
  }

  void awaitState(String run, String state) {
    Awaitility.await().atMost(TIMEOUT).until(() -> hub().state(run).equals(state));
  }
}
