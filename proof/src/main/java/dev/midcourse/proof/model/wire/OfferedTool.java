package dev.midcourse.proof.model.wire;

import tools.jackson.databind.JsonNode;

/** A tool that the agent offers in a request, with the JSON schema of its arguments. */
public record OfferedTool(String name, JsonNode schema) {}
