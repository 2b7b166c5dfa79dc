package dev.midcourse.cli.input;

import dev.midcourse.cli.exit.Failure;
import dev.midcourse.cli.screen.ShellContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the text of a prompt or a steer from the arguments, standard input, a file or an editor.
 */
public final class TextSource {
  private static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final String USAGE_HINT = "give it as an argument, or - to read standard input";

  private final ShellContext shell;

  public TextSource(ShellContext shell) {
    this.shell = shell;
  }

  /**
   * Returns the text of the arguments; {@code -} stands for standard input. Without arguments, a
   * user at a terminal gets an editor.
   *
   * @param name what the words are, for messages
   * @param before what the editor begins with
   */
  public String of(Optional<String> words, String name, String before)
      throws IOException, InterruptedException {
    if (words.isPresent()) {
      String text = words.get().equals("-") ? fromInput() : words.get();
      if (text.isBlank()) {
        throw Failure.usage("the " + name + " is empty", USAGE_HINT);
      }
      return text;
    }
    if (!shell.interactive()) {
      throw Failure.usage("the " + name + " is missing", USAGE_HINT);
    }
    String text = new Editor(shell).write(name, before);
    if (text.isBlank()) {
      throw Failure.usage("canceled: the " + name + " is empty", "run the command again");
    }
    return text;
  }

  public String fromInput() throws IOException {
    byte[] bytes = shell.in().readNBytes(MAX_BYTES + 1);
    return decoded(bytes, "standard input");
  }

  public String fromFile(String name) throws IOException {
    Path file = shell.folder().resolve(name);
    try {
      return decoded(Files.newInputStream(file).readNBytes(MAX_BYTES + 1), name);
    } catch (NoSuchFileException e) {
      throw Failure.usage(
          "file '" + name + "' not found", "check the path, or use - to read standard input");
    } catch (IOException e) {
      throw Failure.usage(
              "cannot read " + name + ": " + e.getMessage(), "give the path of a text file")
          .because(e);
    }
  }

  private static String decoded(byte[] bytes, String from) {
    if (bytes.length > MAX_BYTES) {
      throw Failure.usage(
          from + " is larger than 4 MiB",
          "put the rest into a file and name that file; the agent can read it");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.stripTrailing();
    } catch (CharacterCodingException e) {
      throw Failure.usage(
              from + " is not UTF-8 text", "convert it to UTF-8, for example with iconv")
          .because(e);
    }
  }
}
