package dev.midcourse.hub.page;

import dev.midcourse.hub.http.ApiRequestHandler;
import dev.midcourse.hub.http.route.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the page, which are resources of the program: only names of a plain form and
 * a known type. The page may not load anything from elsewhere, run inline scripts, or be framed.
 */
public final class PageFiles implements ApiRequestHandler.Page {
  private static final Pattern PLAIN =
      Pattern.compile(
          "/(?:[A-Za-z0-9_-]+/){0,4}[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*\\.([a-z0-9]+)");

  /** A run, an event, a loop or a chat on the page, as a link that can be passed on. */
  private static final Pattern DEEP_LINK =
      Pattern.compile("/|/runs/[A-Za-z0-9._/-]+|/loops/[A-Za-z0-9._-]+|/chats(?:/[a-z0-9-]+)?");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "json", "application/json",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon",
          "woff2", "font/woff2",
          "webmanifest", "application/manifest+json",
          "txt", "text/plain; charset=utf-8");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'";

  private final Map<String, File> known = new ConcurrentHashMap<>();

  @SuppressWarnings("ArrayRecordComponent") // read once and never compared
  private record File(String type, byte[] bytes, String tag) {}

  @Override
  public Optional<ApiResponse> at(String path, Optional<String> ifNoneMatch) {
    String name = DEEP_LINK.matcher(path).matches() ? "/index.html" : path;
    return file(name).map(file -> answer(file, ifNoneMatch));
  }

  private static ApiResponse answer(File file, Optional<String> ifNoneMatch) {
    Map<String, String> headers =
        Map.of(
            "ETag", file.tag(),
            "Cache-Control", "no-cache",
            "Content-Security-Policy", POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "X-Frame-Options", "DENY");
    boolean same = ifNoneMatch.filter(tags -> tags.contains(file.tag())).isPresent();
    return same
        ? new ApiResponse.Bytes(304, file.type(), new byte[0], headers)
        : new ApiResponse.Bytes(200, file.type(), file.bytes(), headers);
  }

  private Optional<File> file(String path) {
    var shape = PLAIN.matcher(path);
    if (!shape.matches()) {
      return Optional.empty();
    }
    @Nullable File before = known.get(path);
    if (before != null) {
      return Optional.of(before);
    }
    Optional<File> found =
        Optional.ofNullable(TYPES.get(shape.group(1))).flatMap(t -> read(path, t));
    found.ifPresent(file -> known.put(path, file));
    return found;
  }

  private static Optional<File> read(String path, String type) {
    try (@Nullable InputStream in = PageFiles.class.getResourceAsStream(path.substring(1))) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] bytes = in.readAllBytes();
      return Optional.of(new File(type, bytes, tag(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest, 0, 12) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
