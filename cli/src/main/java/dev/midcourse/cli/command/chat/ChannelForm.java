package dev.midcourse.cli.command.chat;

import dev.midcourse.cli.exit.ExitCode;
import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.input.TerminalQuestions;
import dev.midcourse.cli.screen.ShellContext;
import dev.midcourse.cli.screen.TextSanitizer;
import dev.midcourse.core.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the settings of a new channel: from the command line, and from a person who is asked.
 */
final class ChannelForm {
  private static final String FILE = "_file";
  private static final String COMMAND = "_command";

  private final ShellContext shell;
  private final JsonValue.Obj kind;
  private final Map<String, JsonValue> settings = new LinkedHashMap<>();
  private final Map<String, JsonValue> secrets = new LinkedHashMap<>();

  ChannelForm(ShellContext shell, JsonValue.Obj kind) {
    this.shell = shell;
    this.kind = kind;
  }

  /** Returns the request for the hub. */
  JsonValue.Obj fill(List<String> words) {
    words.forEach(this::take);
    List<JsonValue.Obj> missing =
        kind.objects("settings").stream()
            .filter(setting -> setting.is("required") && !isGiven(setting))
            .toList();
    if (!missing.isEmpty()) {
      ask(missing);
    }
    return JsonValue.Obj.EMPTY
        .with("kind", kind.text("kind").orElse(""))
        .with("settings", new JsonValue.Obj(settings))
        .with("secrets", new JsonValue.Obj(secrets));
  }

  private void take(String word) {
    int equals = word.indexOf('=');
    if (equals < 1) {
      throw Failure.usage(
          "channel add: expected KEY=VALUE, got '" + word + "'", "see midcourse channel kinds");
    }
    String key = word.substring(0, equals);
    String value = word.substring(equals + 1);
    if (isSecret(key)) {
      throw Failure.usage(
          "channel add: "
              + key
              + " is a secret, which other users would see in the list of processes",
          "use "
              + key
              + FILE
              + "=PATH or "
              + key
              + COMMAND
              + "=COMMAND, or leave it out to be asked");
    }
    boolean isFile = key.endsWith(FILE) && isSecret(key.substring(0, key.length() - FILE.length()));
    settings.put(
        key,
        new JsonValue.Str(isFile ? shell.folder().resolve(value).normalize().toString() : value));
  }

  private boolean isSecret(String key) {
    return kind.objects("settings").stream()
        .anyMatch(setting -> key(setting).equals(key) && isSecret(setting));
  }

  private static boolean isSecret(JsonValue.Obj setting) {
    return setting.text("type").orElse("").equals("secret");
  }

  private static String key(JsonValue.Obj setting) {
    return setting.text("key").orElse("");
  }

  private boolean isGiven(JsonValue.Obj setting) {
    String key = key(setting);
    return settings.containsKey(key)
        || settings.containsKey(key + FILE)
        || settings.containsKey(key + COMMAND);
  }

  private void ask(List<JsonValue.Obj> missing) {
    if (!shell.interactive()) {
      String keys =
          String.join(
              ", ", missing.stream().map(s -> isSecret(s) ? key(s) + FILE : key(s)).toList());
      throw Failure.usage(
          "channel add: missing settings: " + keys,
          "give them as KEY=VALUE, or run the command at a terminal to be asked");
    }
    int step = 1;
    for (JsonValue value : array("preparation")) {
      if (value instanceof JsonValue.Str(String text)) {
        shell.notes().line(step++ + ". " + TextSanitizer.line(text));
      }
    }
    TerminalQuestions questions = new TerminalQuestions(shell);
    for (JsonValue.Obj setting : missing) {
      String label =
          TextSanitizer.line(setting.text("description").orElse("")) + "\n" + key(setting) + ": ";
      String answer =
          (isSecret(setting) ? questions.askHidden(label) : questions.ask(label))
              .map(String::strip)
              .filter(text -> !text.isEmpty())
              .orElseThrow(() ->
                  Failure.of(
                      ExitCode.FAILED, "nothing was added: " + key(setting) + " is missing", ""));
      (isSecret(setting) ? secrets : settings).put(key(setting), new JsonValue.Str(answer));
    }
  }

  private List<JsonValue> array(String field) {
    return kind.get(field).orElse(new JsonValue.Null()) instanceof JsonValue.Arr(var values)
        ? values
        : List.of();
  }
}
