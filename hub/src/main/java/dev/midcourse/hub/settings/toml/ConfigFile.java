package dev.midcourse.hub.settings.toml;

import dev.midcourse.core.Problem;
import dev.midcourse.core.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/**
 * A TOML file that is read whole or refused with the line that is wrong.
 *
 * @param draft whether nobody has seen the file, so that refusals name the setting and no line
 */
public record ConfigFile(Path path, boolean draft) {
  public ConfigFile(Path path) {
    this(path, false);
  }

  /** Returns the outermost table. It is empty if there is no such file. */
  public ConfigSection read() {
    if (Files.notExists(path)) {
      return new ConfigSection(this, "", Toml.parse(""));
    }
    try {
      TomlParseResult toml = Toml.parse(path);
      if (toml.hasErrors()) {
        TomlParseError first = toml.errors().getFirst();
        throw refused(first.position().line(), name(), "TOML", String.valueOf(first.getMessage()));
      }
      return new ConfigSection(this, "", toml);
    } catch (IOException e) {
      throw new RefusedException(
          Problem.invalid(name(), "readable", path + " cannot be read: " + e.getMessage()), e);
    }
  }

  private String name() {
    return String.valueOf(path.getFileName());
  }

  /** Returns a refusal that names file and line like a compiler. */
  public RefusedException refused(int line, String field, String rule, String message) {
    String place = draft ? field : path + ":" + line;
    return Problem.invalid(field, rule, place + ": " + message).refused();
  }
}
