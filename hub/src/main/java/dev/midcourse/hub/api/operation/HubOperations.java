package dev.midcourse.hub.api.operation;

import dev.midcourse.core.authority.Authority;

/**
 * The use cases of the hub. HTTP routes, MCP tools and file mailboxes only translate requests and
 * results; each operation resolves ids, asks {@link Authority}, logs a refusal and does the work.
 * So a caller has the same rights and gets the same result through every interface.
 *
 * <p>A run or steer may be named by its whole id or by an unambiguous beginning of it.
 */
public final class HubOperations {
  private final RunOperations runs;
  private final SteerOperations steers;
  private final QuestionOperations questions;
  private final DispatchOperations dispatches;
  private final GroupOperations groups;

  public HubOperations(HubContext context) {
    AuthorizedLookup lookup = new AuthorizedLookup(context.lookup(), context.permits());
    this.runs = new RunOperations(context, lookup);
    this.steers = new SteerOperations(context, lookup);
    this.questions = new QuestionOperations(context, lookup);
    this.dispatches = new DispatchOperations(context, lookup);
    this.groups = new GroupOperations(context);
  }

  public RunOperations runs() {
    return runs;
  }

  public SteerOperations steers() {
    return steers;
  }

  public QuestionOperations questions() {
    return questions;
  }

  public DispatchOperations dispatches() {
    return dispatches;
  }

  public GroupOperations groups() {
    return groups;
  }
}
