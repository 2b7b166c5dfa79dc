package dev.midcourse.proof.page;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The system's Chromium without a window. Whatever a page complains about is kept. */
final class Browsing implements AutoCloseable {
  private static final double PATIENCE_MILLIS = 30_000;

  private final Playwright playwright;
  private final Browser browser;
  private final Path pictures;
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());

  private Browsing(Playwright playwright, Browser browser, Path pictures) {
    this.playwright = playwright;
    this.browser = browser;
    this.pictures = pictures;
  }

  static Browsing open(Path pictures) {
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(chromium())
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    return new Browsing(playwright, browser, pictures);
  }

  private static Path chromium() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .flatMap(folder ->
            Stream.of("chromium", "chromium-browser", "google-chrome")
                .map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no chromium on the PATH; ./verify installs it"));
  }

  /** A browser of its own, with one page. */
  Page page(int width, int height, ColorScheme colours) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(colours));
    context.setDefaultTimeout(PATIENCE_MILLIS);
    return tab(context);
  }

  /** Another page in the same browser. */
  Page tab(BrowserContext context) {
    Page page = context.newPage();
    page.onPageError(complaints::add);
    page.onDialog(dialog -> complaints.add("a dialog: " + dialog.message()));
    return page;
  }

  Page desk() {
    return page(1360, 860, ColorScheme.LIGHT);
  }

  /** Keeps a picture of what is to be seen, for people. */
  void picture(Page page, String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(pictures.resolve(name + ".png")));
  }

  /** Closes every page, so that those of one test cost the next one nothing. */
  void closePages() {
    List.copyOf(browser.contexts()).forEach(BrowserContext::close);
  }

  List<String> complaints() {
    return List.copyOf(complaints);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
