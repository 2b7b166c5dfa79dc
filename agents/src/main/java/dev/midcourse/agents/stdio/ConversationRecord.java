package dev.midcourse.agents.stdio;

import dev.midcourse.core.id.SessionId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The file from which a program resumes a conversation: one JSON object a line, somewhere below a
 * folder, named after the session itself or in a folder of that name. What is in it is in the
 * conversation when that goes on, and what is not is not, whatever the program said or could not
 * say any more when it died.
 *
 * @param message whether a line is a message of the conversation, and not, say, a note that one
 *     waits
 */
public record ConversationRecord(Path folder, SessionId session, Predicate<ObjectNode> message) {
  private static final String SUFFIX = ".jsonl";
  private static final int DEPTH = 6;

  /** Which of these passages are in it; empty if the file is not there or cannot be read. */
  Optional<Set<String>> holding(Set<String> passages) {
    try {
      Optional<Path> file = file();
      return file.isEmpty() ? Optional.empty() : Optional.of(in(file.get(), passages));
    } catch (IOException | UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }

  private Optional<Path> file() throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      return files.filter(this::isNamedAfterSession).filter(Files::isRegularFile).findFirst();
    }
  }

  private boolean isNamedAfterSession(Path file) {
    Path parent = file.getParent();
    boolean inItsFolder = parent != null && parent.endsWith(session.value());
    String name = file.getFileName().toString();
    return name.endsWith(SUFFIX) && (inItsFolder || name.contains(session.value()));
  }

  private Set<String> in(Path file, Set<String> passages) throws IOException {
    Set<String> found = new HashSet<>();
    // A reader that takes bytes as they are: half a character at the end is no reason to give up.
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        ProtocolJson.object(line).filter(message).ifPresent(node -> look(node, passages, found));
      }
    }
    return found;
  }

  private static void look(JsonNode node, Set<String> passages, Set<String> found) {
    if (node.isString()) {
      String text = node.stringValue();
      passages.stream().filter(text::contains).forEach(found::add);
    }
    node.forEach(child -> look(child, passages, found));
  }
}
