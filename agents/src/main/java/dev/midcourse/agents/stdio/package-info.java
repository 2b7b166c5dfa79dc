/**
 * The driver of all agents that communicate over standard input and output.
 *
 * <p>{@link dev.midcourse.agents.stdio.StdioDriver} starts a program so that it survives the hub,
 * reads its output, writes to its input, and ends it with every process that it started. A {@link
 * dev.midcourse.agents.stdio.StdioAgentDefinition} describes one kind of agent, and a {@link
 * dev.midcourse.agents.stdio.Protocol} encodes and decodes its messages. To write a driver:
 *
 * <ol>
 *   <li>Implement {@code StdioAgentDefinition}. {@code command} returns the command line, which
 *       resumes {@code spec.resume()} if that is present, and the variables that the program needs.
 *       Nothing is inherited from the hub by default: see {@link
 *       dev.midcourse.agents.hosted.AgentEnvironment}. {@code framing} is lines or {@code
 *       Content-Length}. {@code find} finds the program and its version; the definition of a
 *       program with a known name implements {@code NamedProgramDefinition}, which does that.
 *   <li>Implement {@code Protocol} as a codec without I/O. {@code read} turns a message of the
 *       agent into events. Start with {@code Started}, which the engine waits for, and the end of a
 *       turn. Then add the evidence: report {@code PromptAccepted}, {@code SteerAccepted} and
 *       {@code SteerInjected} only if the program confirms them. The other methods of {@code
 *       Protocol} turn requests of the engine into messages. An empty list means that the agent
 *       lacks the message; {@code Capabilities} must then agree.
 *   <li>Build the ids of requests from the ids of Midcourse ({@code steer:ID}, {@code prompt:3}),
 *       so that a hub can process the answer to a request of an earlier hub. Keep the state that
 *       must survive (the id of the running turn, totals whose differences are reported) in one
 *       record, and write it with {@code MemoJson} as the {@code memo}.
 *   <li>A handshake is a {@code ProtocolOutput} with replies. A reply may be written twice when a
 *       hub crashes; make the second one harmless.
 *   <li>Create the driver: {@code new StdioDriver(host, new MyDefinition(settings))}.
 * </ol>
 *
 * <p>Return {@code ProtocolOutput.fatal} for a program that cannot do its task (for example because
 * its session is gone) and does not exit by itself. The program is then ended and its exit is
 * reported.
 *
 * <p>Test the codec with recorded lines of the real program, cut at every line: a protocol that is
 * restored from its memo there must give the same events for the rest. {@code RehearsalProtocol}
 * with its test is the example to copy; {@code EchoAgentDefinition} in the tests is the smallest
 * definition.
 *
 * <p>Every agent gets the following without further work. A line that is no message is reported as
 * {@code Garbage}. A line over 8 MiB is cut and reported. The exit is the last event, after all
 * output, with the last lines of standard error. A program that cannot be started is reported as
 * exited with code 127 and the reason.
 */
@NullMarked
package dev.midcourse.agents.stdio;

import org.jspecify.annotations.NullMarked;
