/**
 * The common ground of every agent that is spoken to over its standard input and output.
 *
 * <p>{@link dev.midcourse.agents.stdio.StdioDriver} starts such a program so that it outlives the
 * hub, follows its output, writes to its input and ends it with all it started. What is left to say
 * about one kind of agent is a {@link dev.midcourse.agents.stdio.StdioAgentDefinition}, and how to
 * talk to it a {@link dev.midcourse.agents.stdio.Protocol}. So a driver is written like this:
 *
 * <ol>
 *   <li>Implement {@code StdioAgentDefinition}. {@code command} gives the command line, with what
 *       resumes {@code order.resume()} if that is present, and the variables the program needs.
 *       Nothing is inherited from the hub: see {@link
 *       dev.midcourse.agents.hosted.AgentEnvironment}. {@code framing} is lines or {@code
 *       Content-Length}. {@code find} looks for the program and its version; a program with a known
 *       name implements {@code NamedProgramDefinition}, which does that.
 *   <li>Implement {@code Protocol} as a codec without I/O. {@code read} turns a message of the
 *       agent into events of ours. Start with {@code Started}, which the engine waits for, and the
 *       end of a turn; then the evidence: {@code PromptAccepted}, {@code SteerAccepted} and {@code
 *       SteerInjected} only where the program truly says so. The rest of {@code Protocol} turns
 *       what the engine wants into messages; an empty list means the agent has no such thing, and
 *       {@code Capabilities} says so too.
 *   <li>Make the ids of requests out of ours ({@code steer:ID}, {@code prompt:3}), so that an
 *       answer explains itself to a hub that did not ask. Keep the few things that must be
 *       remembered (the running turn's id, sums that are told as differences) in one record, and
 *       write it with {@code MemoJson} as the {@code memo}.
 *   <li>A handshake is a {@code ProtocolOutput} with replies. It may be written twice when a hub
 *       dies at the wrong moment; see to it that the second does no harm.
 *   <li>Wrap it: {@code new StdioDriver(host, new MyDefinition(settings))}.
 * </ol>
 *
 * <p>A program that cannot do what it was started for (its session is gone) and does not leave by
 * itself is {@code ProtocolOutput.fatal}: it is ended and its exit is told, so that nobody waits
 * for it.
 *
 * <p>Test the codec with recorded lines of the real program, cut at every line: a protocol restored
 * from its memo there must give the same events for the rest. {@code RehearsalProtocol} with its
 * test is the example to copy, {@code Parrot} in the tests the smallest definition.
 *
 * <p>What is already taken care of, for every agent: lines that are no messages are heard as {@code
 * Garbage}; a line over 8 MiB is cut and told; the exit is the last thing heard, after all output,
 * with the last lines of standard error; a program that cannot be started is heard to have exited
 * with 127 and the reason.
 */
@NullMarked
package dev.midcourse.agents.stdio;

import org.jspecify.annotations.NullMarked;
