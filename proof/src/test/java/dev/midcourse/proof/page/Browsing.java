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

/** The system's Chromium without a window. It keeps every error of a page. */
final class Browsing implements AutoCloseable {
  /** For actions and assertions; generous, because the machine may be busy. */
  static final double MILLIS_TIMEOUT = 120_000;

  private static final String ALARM = "alarm: ";

  /**
   * Reports an error when the page contains, even for a short time, an element that only text from
   * outside could have created, and when the browser blocked an action of the page.
   */
  private static final String GUARD =
      """
      addEventListener("securitypolicyviolation", (event) =>
        console.error("alarm: kept from " + event.violatedDirective + " " + event.blockedURI));
      const foreign = (node) =>
        node.matches("iframe, object, embed, base, meta[http-equiv], animate, set, foreignObject")
          || (node.matches("script, img, link") && !/^\\/(js|css|icon)/.test(node.getAttribute("src") ?? node.getAttribute("href") ?? ""))
          || (node.matches("a[href]") && !/^(https?:|mailto:|blob:|\\/|#)/i.test(node.getAttribute("href")))
          || node.getAttributeNames().some((name) => name.startsWith("on"));
      const look = (node) => {
        if (node.nodeType === Node.ELEMENT_NODE && foreign(node)) console.error("alarm: " + node.outerHTML);
      };
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          look(target);
          for (const node of addedNodes) [node, ...(node.querySelectorAll?.("*") ?? [])].forEach(look);
        }
      }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["href", "src"] });
      """;

  private static final List<String> ARGUMENTS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

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
                new BrowserType.LaunchOptions().setExecutablePath(chromium()).setArgs(ARGUMENTS));
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

  /** Opens a page in its own browser context. */
  Page page(int width, int height, ColorScheme colours) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(colours));
    context.setDefaultTimeout(MILLIS_TIMEOUT);
    return tab(context);
  }

  /** Starts a browser that keeps its history and its storage in this folder. */
  BrowserContext withProfile(Path profile) {
    BrowserContext context =
        playwright
            .chromium()
            .launchPersistentContext(
                profile,
                new BrowserType.LaunchPersistentContextOptions()
                    .setExecutablePath(chromium())
                    .setArgs(ARGUMENTS));
    context.setDefaultTimeout(MILLIS_TIMEOUT);
    return context;
  }

  /** Opens another page in the same browser context. */
  Page tab(BrowserContext context) {
    Page page = context.newPage();
    page.addInitScript(GUARD);
    page.onPageError(complaints::add);
    page.onConsoleMessage(message -> {
      if (message.text().startsWith(ALARM)) {
        complaints.add(message.text());
      }
    });
    page.onDialog(dialog -> complaints.add("a dialog: " + dialog.message()));
    return page;
  }

  Page newPage() {
    return page(1360, 860, ColorScheme.LIGHT);
  }

  /** Writes a screenshot of the page. */
  void picture(Page page, String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(pictures.resolve(name + ".png")));
  }

  /** Closes every page, so that pages of one test do not slow down the next. */
  void closePages() {
    List.copyOf(browser.contexts()).forEach(BrowserContext::close);
  }

  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** Returns and clears the errors so far, for a test that expects them. */
  List<String> takeComplaints() {
    List<String> taken = complaints();
    complaints.clear();
    return taken;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
