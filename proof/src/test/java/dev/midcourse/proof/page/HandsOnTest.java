package dev.midcourse.proof.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.midcourse.proof.page.House.assertClimbed;
import static dev.midcourse.proof.page.House.button;
import static dev.midcourse.proof.page.House.steer;

import com.microsoft.playwright.Page;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person does to a run, what the page says before it, and what it does only once. */
@Tag("browser")
class HandsOnTest {
  @TempDir static Path temp;
  private static House house;

  @BeforeAll
  static void open() throws Exception {
    house = House.open(temp.resolve("data"));
  }

  @AfterAll
  static void close() throws Exception {
    house.close();
  }

  @AfterEach
  void the_page_had_nothing_to_complain_about() {
    house.assertNoComplaints();
  }

  /**
   * The hub stores the steer and its answer is lost, again and again, until the page gives up. Seen
   * to fail when every press had a key of its own.
   */
  @Test
  void a_steer_that_is_sent_again_because_nobody_answered_is_one_steer() {
    house.hub().run("once", "Go.\n$ sleep 600");
    Page page = house.at("/runs/once");
    assertThat(page.locator(".state")).hasText("running");
    page.route(
        "**/api/v1/runs/once/steers",
        route -> {
          if (route.request().method().equals("POST")) {
            route.fetch();
            route.abort();
          } else {
            route.resume();
          }
        });
    steer(page, "one and the same");
    assertThat(page.locator(".composer .wrong")).containsText("as soon as the hub is back, once");
    page.getByLabel("Tell the agent").press("Control+Enter");
    page.evaluate(
        "() => { const now = performance.now.bind(performance);"
            + " performance.now = () => now() + 100_000; }");
    assertThat(page.locator(".composer .wrong")).hasText("The hub does not answer.");
    assertThat(button(page, "Send")).isEnabled();
    page.unroute("**/api/v1/runs/once/steers");
    button(page, "Send").click();
    assertThat(page.getByLabel("Tell the agent")).hasValue("");
    Assertions.assertThat(house.hub().get("/runs/once/steers").path("steers").size()).isEqualTo(1);
    steer(page, "one and the same");
    assertThat(page.locator(".receipt")).hasCount(2);
    assertClimbed(page, "accepted");
  }
}
