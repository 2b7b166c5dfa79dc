package dev.midcourse.gateway.process;

import dev.midcourse.agents.process.attempt.ProcessMarker;
import dev.midcourse.core.json.JsonValue;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command that starts the program of the gateway. It needs three modules and little memory. */
final class GatewayCommand {
  private static final String MAIN = "dev.midcourse.gateway.GatewayMain";

  private GatewayCommand() {}

  static List<String> of(GatewayFolder folder) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xms16m",
            "-Xmx256m",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-cp",
            Stream.of(GatewayCommand.class, ProcessMarker.class, JsonValue.class)
                .map(GatewayCommand::location)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator)),
            MAIN,
            folder.path().toString()));
    return command;
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
