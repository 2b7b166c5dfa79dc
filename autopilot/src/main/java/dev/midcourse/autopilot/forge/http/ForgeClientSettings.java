package dev.midcourse.autopilot.forge.http;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * How a forge is asked.
 *
 * @param api the base of all paths
 * @param headers are sent with each request to the forge
 * @param writeInterval the least time from one write to the next
 * @param timeout for a whole answer
 * @param maxBody the most bytes of an answer
 * @param maxPages the most pages of a list
 */
public record ForgeClientSettings(
    URI api,
    ForgeAuthorization authorization,
    Map<String, String> headers,
    Duration writeInterval,
    Duration timeout,
    int maxBody,
    int maxPages) {
  private static final Duration DEFAULT_WRITE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final int DEFAULT_MAX_BODY = 10 * 1024 * 1024;
  private static final int DEFAULT_MAX_PAGES = 50;

  public ForgeClientSettings {
    headers = Map.copyOf(headers);
    String scheme = String.valueOf(api.getScheme());
    boolean isWeb = scheme.equalsIgnoreCase("https") || scheme.equalsIgnoreCase("http");
    if (!isWeb || api.getHost() == null || api.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "the address of a forge must be an http or https URL without a user name");
    }
  }

  /** The settings for a forge in use. */
  public static ForgeClientSettings of(URI api, ForgeAuthorization authorization) {
    return new ForgeClientSettings(
        api,
        authorization,
        Map.of("Accept", "application/json"),
        DEFAULT_WRITE_INTERVAL,
        DEFAULT_TIMEOUT,
        DEFAULT_MAX_BODY,
        DEFAULT_MAX_PAGES);
  }

  public ForgeClientSettings withHeaders(Map<String, String> replaced) {
    return new ForgeClientSettings(
        api, authorization, replaced, writeInterval, timeout, maxBody, maxPages);
  }

  public ForgeClientSettings withWriteInterval(Duration replaced) {
    return new ForgeClientSettings(
        api, authorization, headers, replaced, timeout, maxBody, maxPages);
  }

  public ForgeClientSettings withTimeout(Duration replaced) {
    return new ForgeClientSettings(
        api, authorization, headers, writeInterval, replaced, maxBody, maxPages);
  }

  public ForgeClientSettings withMaxPages(int replaced) {
    return new ForgeClientSettings(
        api, authorization, headers, writeInterval, timeout, maxBody, replaced);
  }
}
