package dev.midcourse.channels.telegram;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.midcourse.core.json.JsonReader;
import dev.midcourse.core.json.JsonValue.Obj;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a call, in the four forms that Telegram takes. */
record FakeForm(Obj parameters, Map<String, Upload> files) {
  private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
  private static final String ATTACH = "attach://";
  private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]*)\"");
  private static final Pattern FILE_NAME = Pattern.compile("filename=\"?([^\";\r\n]*)\"?");

  /** A file that came with the call, as text. */
  record Upload(String name, String text) {}

  static FakeForm read(String method, String query, String type, byte[] body) {
    Map<String, String> fields = new LinkedHashMap<>(urlEncoded(query));
    Map<String, Upload> files = new LinkedHashMap<>();
    if (type.startsWith("application/json") && body.length > 0) {
      Obj all = BotApi.INSTANCE.typed(method, fields);
      for (var field : JsonReader.readObject(new String(body, UTF_8)).fields().entrySet()) {
        all = all.with(field.getKey(), field.getValue());
      }
      return new FakeForm(all, files);
    }
    if (type.startsWith("multipart/form-data")) {
      multipart(type, body, fields, files);
      attach(fields, files);
    } else {
      fields.putAll(urlEncoded(new String(body, UTF_8)));
    }
    return new FakeForm(BotApi.INSTANCE.typed(method, fields), files);
  }

  private static Map<String, String> urlEncoded(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String pair : text.split("&", -1)) {
      int at = pair.indexOf('=');
      if (at > 0) {
        fields.put(
            URLDecoder.decode(pair.substring(0, at), UTF_8),
            URLDecoder.decode(pair.substring(at + 1), UTF_8));
      }
    }
    return fields;
  }

  private static void multipart(
      String type, byte[] body, Map<String, String> fields, Map<String, Upload> files) {
    Matcher boundary = BOUNDARY.matcher(type);
    if (!boundary.find()) {
      throw new IllegalArgumentException("no boundary in " + type);
    }
    String text = "\r\n" + new String(body, ISO_8859_1);
    String[] parts = text.split(Pattern.quote("\r\n--" + boundary.group(1)), -1);
    for (int i = 1; i < parts.length - 1; i++) {
      int end = parts[i].indexOf("\r\n\r\n");
      String head = utf8(parts[i].substring(0, end));
      String content = parts[i].substring(end + 4);
      Matcher name = NAME.matcher(head);
      Matcher file = FILE_NAME.matcher(head);
      if (!name.find()) {
        throw new IllegalArgumentException("a part without a name");
      }
      if (file.find()) {
        files.put(name.group(1), new Upload(file.group(1), utf8(content)));
      } else {
        fields.put(name.group(1), utf8(content));
      }
    }
  }

  /** A field may name a file by {@code attach://} and the name of its part. */
  private static void attach(Map<String, String> fields, Map<String, Upload> files) {
    for (String field : List.copyOf(fields.keySet())) {
      String value = fields.getOrDefault(field, "");
      Upload file =
          value.startsWith(ATTACH) ? files.remove(value.substring(ATTACH.length())) : null;
      if (file != null) {
        fields.remove(field);
        files.put(field, file);
      }
    }
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }
}
