package dev.midcourse.proof.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Starts a scripted model from a shell: {@code --script FILE [--port N]}. Every lane that an agent
 * calls plays the script from its beginning. Runs until the process ends.
 */
public final class Main {
  private static final String USAGE = "usage: --script FILE [--port N]   (see ScriptFile)";

  private Main() {}

  public static void main(String[] arguments) throws InterruptedException {
    ScriptedModel model;
    try {
      model = start(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    try (model) {
      System.out.println("listening on " + model.url());
      System.out.println("Anthropic Messages, Gemini:        " + model.url() + "/lane/NAME");
      System.out.println("OpenAI Responses, Chat:            " + model.url() + "/lane/NAME/v1");
      System.out.println(
          "what was asked (GET):              " + model.url() + "/lane/NAME/requests");
      System.out.println("another script (PUT):              " + model.url() + "/lane/NAME/script");
      Thread.currentThread().join();
    }
  }

  static ScriptedModel start(String... arguments) {
    var script = "";
    int port = 0;
    if (arguments.length % 2 != 0) {
      throw new IllegalArgumentException(USAGE);
    }
    for (int i = 0; i < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--script" -> script = arguments[i + 1];
        case "--port" -> port = port(arguments[i + 1]);
        default -> throw new IllegalArgumentException("unknown: " + arguments[i] + "\n" + USAGE);
      }
    }
    if (script.isEmpty()) {
      throw new IllegalArgumentException(USAGE);
    }
    return ScriptedModel.start(port, ScriptFile.parse(read(Path.of(script))));
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // the error below states the rule
    }
    throw new IllegalArgumentException("--port is a number from 0 to 65535, not " + text);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no script " + file, e);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
