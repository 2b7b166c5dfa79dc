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
 * The file from which a program resumes a conversation: one JSON object a line, below {@code
 * folder}, with the session id in the name of the file or as the name of its folder. The file
 * decides which messages are in a resumed conversation, whatever the program reported before it
 * exited.
 *
 * @param message whether a line is a message of the conversation, and not, for example, a note
 *     about a queued message
 */
public record ConversationRecord(Path folder, SessionId session, Predicate<ObjectNode> message) {
  private static final String SUFFIX = ".jsonl";
  private static final int DEPTH = 6;

  /** Returns the passages that are in the file; empty if the file is missing or cannot be read. */
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
    // This reader replaces malformed bytes, so an incomplete character at the end is not an error.
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
