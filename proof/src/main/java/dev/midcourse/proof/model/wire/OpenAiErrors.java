package dev.midcourse.proof.model.wire;

import static dev.midcourse.proof.model.wire.Json.object;

import tools.jackson.databind.JsonNode;

/** The error document of both OpenAI wire formats. */
final class OpenAiErrors {
  private OpenAiErrors() {}

  static JsonNode error(int status, String message) {
    var type =
        switch (status) {
          case 401 -> "authentication_error";
          case 429 -> "rate_limit_error";
          case 400, 404, 422 -> "invalid_request_error";
          default -> "server_error";
        };
    var code = status == 401 ? "invalid_api_key" : type;
    return object("error", object("message", message, "type", type, "code", code));
  }
}
