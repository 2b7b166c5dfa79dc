package dev.midcourse.proof.agents;

import dev.midcourse.agents.AgentSettings;
import dev.midcourse.core.id.AgentName;
import dev.midcourse.gateway.driver.ModelAddress;
import dev.midcourse.proof.model.Lane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** pi behind the gateway. It reads the address of its model from a file. */
class PiGatewayTest extends GatewaySuite {
  @Override
  AgentName name() {
    return AgentName.of("pi");
  }

  @Override
  AgentHome home(AgentPrograms installed, Path folder, Lane its) {
    return PiHome.create(installed, folder, its);
  }

  @Override
  AgentSettings adjust(AgentSettings settings) {
    return settings.withArguments(PiHome.modelArguments());
  }

  @Override
  String ordinaryTool() {
    return "edit";
  }

  @Override
  ModelAddress model(AgentSettings settings) {
    String direct = lane().url().toString();
    return new ModelAddress(
        direct,
        address -> {
          replace(AgentFixture.home(folder()).resolve("pi/models.json"), direct, address);
          return Map.of();
        });
  }

  private static void replace(Path file, String one, String other) {
    try {
      Files.writeString(file, Files.readString(file).replace(one, other));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
