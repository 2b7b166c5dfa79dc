package dev.midcourse.proof.lead;

import java.util.List;
import java.util.Map;

/** The hub's tools through an MCP client. */
interface LeadTools extends AutoCloseable {

  /**
   * The result of a tool call.
   *
   * @param refused whether the text says why it was not done
   */
  record Said(boolean refused, String text) {}

  /** A protocol error: the request was invalid. */
  final class NoSuchThing extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    NoSuchThing(int code, String message) {
      super(message);
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /** Returns the names of the tools. */
  List<String> tools() throws Exception;

  Said call(String tool, Map<String, Object> arguments) throws Exception;
}
